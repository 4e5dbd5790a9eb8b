"""How the pages of a list look, on a phone, on a desk and printed."""

from carddb.press.bans.typeset import LABEL, TEXT

MORE = "More letters"
"""The family of what is borrowed for letters that the others lack."""
_ROOT = f"""\
:root{{--ink:#1a1a1c;--mid:#5e6064;--line:#cfd0d1;--red:#8e1b2e;--tint:#f5f4f1;
  --text:"{TEXT}","{MORE}",Georgia,serif;
  --label:"{LABEL}","{MORE}","Arial Narrow",Arial,sans-serif}}
"""
STYLE = (
    _ROOT
    + """\
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:#fff;color:var(--ink);font:400 1.0625rem/1.5 var(--text);overflow-wrap:anywhere;
  font-variant-numeric:lining-nums tabular-nums}
a{color:inherit;text-decoration-color:var(--red);text-underline-offset:.16em;text-decoration-thickness:.08em}
a:hover{color:var(--red)}
a:focus-visible{outline:3px solid var(--red);outline-offset:3px}
.wrap{max-width:67rem;margin:0 auto;padding:0 1.25rem}
.bar{border-bottom:1px solid var(--line)}
.bar .wrap{display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;align-items:baseline;padding-block:.7rem;
  font:400 .9375rem/1.5 var(--label)}
.bar strong{font-weight:600;letter-spacing:.02em}
.bar strong a{color:var(--red);text-decoration:none}
.bar nav{margin-left:auto;display:flex;flex-wrap:wrap;gap:0 1.1rem}
.bar nav a{text-decoration:none;padding-block:.35rem}
.bar nav a[aria-current]{box-shadow:inset 0 -2px var(--red)}
.marks{list-style:none;margin:1.5rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.5rem}
.marks li{font:600 .8125rem/1.25 var(--label);border:1px solid var(--ink);padding:.3em .6em}
.marks .grave{border-color:var(--red);color:var(--red)}
h1{font-weight:600;font-size:clamp(2rem,1.5rem + 2.3vw,3.1rem);line-height:1.08;letter-spacing:-.012em;
  margin:.9rem 0 .7rem;text-wrap:balance;max-width:22em}
.lead{font-style:italic;font-size:1.2rem;line-height:1.42;max-width:34em;margin:0 0 1.3rem}
.facts{display:grid;grid-template-columns:1fr 1fr;margin:1.1rem 0 0;border-top:3px solid var(--ink);
  border-bottom:1px solid var(--ink)}
.facts div{padding:.75rem .9rem .8rem 0;min-width:0}
.facts div:nth-child(even){border-left:1px solid var(--line);padding-left:.9rem}
.facts div:nth-child(n+3){border-top:1px solid var(--line)}
.facts div:last-child:nth-child(odd){grid-column:1/-1}
.facts dt{font:400 .875rem/1.5 var(--label);color:var(--mid)}
.facts dd{margin:0;font-weight:600;line-height:1.25}
.facts small{display:block;font:400 .875rem/1.35 var(--label);color:var(--mid)}
h2{font-weight:600;font-size:1.55rem;line-height:1.15;margin:2.4rem 0 .3rem;display:flex;align-items:baseline;
  gap:.2em .6em;flex-wrap:wrap}
h2 .n{font:600 1rem var(--label);color:var(--mid);margin-left:auto;white-space:nowrap}
.chg{border-top:1px solid var(--ink);padding:1rem 0 1.1rem}
.chg+.chg{border-top-color:var(--line)}
.chg h3{margin:0 0 .35rem;font-size:1.25rem;font-weight:600;line-height:1.2}
.chg p{margin:.45rem 0 0;max-width:38em;white-space:pre-line}
.ref{font:400 .8125rem/1.2 var(--label);color:var(--mid);margin-left:.45em}
.step{display:flex;align-items:center;gap:.35rem .65rem;flex-wrap:wrap;font:400 1rem/1.4 var(--label)}
.lvl{display:inline-flex;align-items:center;gap:.45em;font-family:var(--label)}
.lvl svg{height:.82em;width:auto;flex:none}
b,strong{font-weight:600}
.arrow{width:1.5em;height:.7em;flex:none}
.group{border:1.5px solid var(--ink);padding:1rem 1.1rem 1.1rem;margin:.8rem 0 0}
.group.ended{border-style:dashed}
.group h3{margin:0;font-size:1.25rem;font-weight:600;line-height:1.2}
.group .lim{font:600 1rem/1.4 var(--label);color:var(--red);margin:.15rem 0 .7rem}
.group ul{list-style:none;margin:0;padding:0;display:grid;gap:.45rem}
.group li{border-left:4px solid var(--ink);padding:.15rem 0 .15rem .7rem;font-weight:600;min-width:0}
.group .anchor{border-left-color:var(--red)}
.group p{margin:.8rem 0 0;white-space:pre-line}
.flag{display:inline-block;font:600 .75rem/1 var(--label);border:1px solid var(--red);color:var(--red);
  padding:.16em .4em .2em;margin-left:.6em;vertical-align:.12em}
table{width:100%;border-collapse:collapse;margin:.6rem 0 0}
caption{text-align:left;font:400 .9375rem/1.4 var(--label);color:var(--mid);padding-bottom:.5rem}
th{text-align:left;font:600 .9375rem/1.4 var(--label);color:var(--mid);padding:.35rem .8rem .35rem 0;
  border-bottom:1.5px solid var(--ink)}
thead th{white-space:nowrap}
tbody th{font:600 1.0625rem/1.35 var(--text);color:var(--ink);border-bottom:1px solid var(--line);padding-block:.5rem}
td{padding:.5rem .8rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:baseline}
td small,th small{display:block;font:400 .875rem/1.35 var(--label);color:var(--mid)}
.num{text-align:right;padding-right:0;font-family:var(--label)}
.end{font:400 .875rem/1.5 var(--label);color:var(--mid);margin:1rem 0 0}
.plain{list-style:none;margin:.5rem 0 0;padding:0}
.plain li{border-top:1px solid var(--line);padding:.65rem 0}
.plain li:first-child{border-top-color:var(--ink)}
.plain a{font-weight:600}
.plain small{display:block;font:400 .9375rem/1.4 var(--label);color:var(--mid)}
.two{display:grid;gap:1.2rem;margin-top:1.6rem}
.list{border-top:3px solid var(--ink);padding-top:.8rem}
.list h2{margin-top:0}
aside{margin-top:2.4rem}
aside section{background:var(--tint);padding:1.15rem 1.2rem 1.25rem;margin-bottom:1rem}
aside h2{margin:0 0 .4rem;font-size:1.15rem}
aside p,aside ul{margin:.4rem 0 0;font-size:1rem;line-height:1.45}
.files{list-style:none;padding:0;font-family:var(--label)}
.files a{display:flex;justify-content:space-between;gap:1rem;padding:.62rem 0;border-top:1px solid #dcdad4;
  text-decoration:none}
.files li:first-child a{border-top:0}
.files span{color:var(--mid);white-space:nowrap}
code{font:600 .95rem var(--label);letter-spacing:.03em;white-space:nowrap}
footer{border-top:1px solid var(--line);margin-top:2.6rem;color:var(--mid);font:400 .875rem/1.5 var(--label)}
footer .wrap{padding-block:1.1rem 2rem;display:flex;flex-wrap:wrap;gap:.2rem 1.6rem}
footer p{margin:0;max-width:60em}
@media(min-width:44rem){.two{grid-template-columns:1fr 1fr;gap:3rem}.group ul{grid-template-columns:1fr 1fr}}
@media(min-width:60rem){
  .cols{display:grid;grid-template-columns:minmax(0,1fr) 19rem;gap:0 3.5rem}
  .facts{grid-template-columns:none;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr)}
  .facts div:last-child:nth-child(odd){grid-column:auto}
  .facts div,.facts div:nth-child(n+3){border-top:0;border-left:1px solid var(--line);padding-left:1.1rem}
  .facts div:first-child{border-left:0;padding-left:0}
  .chg{display:grid;grid-template-columns:15.5rem minmax(0,1fr);gap:0 2rem}
  .chg p{margin:.1rem 0 0}
}
@media print{
  @page{margin:14mm}
  html{font-size:9pt}
  body{font-size:1rem}
  .bar nav,.take{display:none}
  .wrap{max-width:none;padding:0}
  h1{font-size:1.95rem;margin:.5rem 0}
  h2{font-size:1.3rem;margin:1.3rem 0 .2rem}
  .marks,.facts{margin-top:.6rem}
  .facts{grid-template-columns:none;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr)}
  .facts div,.facts div:nth-child(n+3){border-top:0;padding-block:.4rem}
  .facts div:nth-child(n+2){border-left:1px solid var(--line);padding-left:.9rem}
  .facts div:last-child:nth-child(odd){grid-column:auto}
  .chg{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:0 2rem;padding:.5rem 0}
  .chg p{margin:0}
  .group{padding:.6rem .9rem .7rem;margin-top:.5rem}
  .group p{margin-top:.5rem}
  .group ul{grid-template-columns:1fr 1fr}
  tbody th,td{padding-block:.2rem}
  th small{display:inline;margin-left:.8em}
  .plain li{padding:.25rem 0}
  .chg,.group,tr,.plain li,aside section,footer{break-inside:avoid}
  h2,h3,caption{break-after:avoid}
  a{text-decoration:none}
  aside{display:grid;grid-template-columns:1fr 1fr;gap:.6rem 2rem;margin-top:1.2rem}
  aside section{background:none;padding:0;margin:0}
  footer{margin-top:.8rem}
  footer .wrap{padding-block:.4rem 0}
}
"""
)
