"""How pages of the web look: one column on a phone, a list of sections beside it on a desk, two columns on paper."""

STYLE = """\
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}
body{--ink:#1a1a1c;--mid:#5e6064;--line:#cfd0d1;margin:0 auto;max-width:67rem;padding:0 1.25rem;background:#fff;
  color:var(--ink);font:400 1.0625rem/1.55 var(--text);font-variant-numeric:lining-nums;overflow-wrap:break-word}
a{color:inherit;text-decoration-color:var(--accent);text-underline-offset:.16em}
a:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
h1,h2,h3,p,ul,ol,table{margin:0}
strong{font-weight:var(--strong-weight)}
small{font:400 .6875rem/1 var(--label);font-variant-numeric:lining-nums tabular-nums;color:var(--mid);
  white-space:nowrap}
abbr{text-decoration:none;cursor:help}
header{padding-top:2rem}
.mast{display:flex;flex-wrap:wrap;align-items:flex-end;gap:.4rem 2rem;padding-bottom:.7rem;border-bottom:4px solid}
h1{flex:1 1 14rem;min-width:0;overflow-wrap:anywhere;text-wrap:balance;
  font:var(--title-weight) clamp(2.1rem,1.5rem + 2.6vw,3.4rem)/1.06 var(--heading)}
.facts{font:400 .9375rem/1.35 var(--label);color:var(--mid)}
.facts p{margin:0}
.facts p:first-child{font-weight:var(--label-weight);color:var(--ink)}
.lead{font-size:1.25rem;font-style:italic;line-height:1.4;max-width:36em;margin-top:1rem}
nav{margin-top:1.6rem;font:400 1rem/1.3 var(--label);font-variant-numeric:lining-nums tabular-nums}
nav ul{list-style:none;padding:0;columns:2;column-gap:1.25rem}
nav li{break-inside:avoid}
nav a{display:flex;gap:.7em;padding:.45rem 0;text-decoration:none}
nav a:hover span:last-child{text-decoration:underline;text-decoration-color:var(--accent)}
.n{color:var(--accent);font-family:var(--label);font-weight:var(--label-weight);flex:none;min-width:1.2em}
main{max-width:38em}
section{padding-top:2.2rem}
h2{display:flex;align-items:baseline;gap:.6em;font:var(--heading-weight) 1.55rem/1.2 var(--heading)}
h2 span:last-child,nav span:last-child{min-width:0;overflow-wrap:anywhere}
h2 .n{font-size:1.05rem;font-variant-numeric:lining-nums}
h3{font:var(--label-weight) 1.0625rem/1.3 var(--label);margin-top:1.3rem}
p{margin-top:.6rem}
h3+*,h2+.table,h3+.table{margin-top:.15rem}
p,li{text-wrap:pretty}
ul,ol{padding:0;margin-top:.6rem;list-style:none}
main li{position:relative;padding-left:1.5rem;margin-top:.35rem}
main ul>li::before{content:"";position:absolute;left:.1rem;top:.58em;width:.4em;height:.4em;background:var(--accent)}
main ol{list-style:decimal;padding-left:1.5rem}
main ol>li{padding-left:0}
main ol>li::marker{content:counter(list-item) "\\2002";color:var(--accent);
  font-family:var(--label);font-weight:var(--label-weight);font-variant-numeric:lining-nums}
.note{margin-top:1.1rem;padding:.05rem 0 .1rem 1rem;border-left:4px solid var(--accent)}
.note p{margin-top:.2rem;font-size:1rem}
.note .label{margin:0;font:var(--label-weight) .9375rem/1.4 var(--label);color:var(--accent)}
.table{margin-top:1rem;overflow-x:auto}
table{width:100%;border-collapse:collapse;font:400 1rem/1.35 var(--label);font-variant-numeric:lining-nums tabular-nums}
thead th,thead td{font-weight:var(--label-weight);font-size:.9375rem;color:var(--mid);vertical-align:bottom;
  border-bottom:1.5px solid var(--ink)}
th,td{text-align:left;vertical-align:baseline;padding:.42rem .9rem .42rem 0;border-bottom:1px solid var(--line)}
tbody th{font-weight:var(--label-weight)}
.plain tbody th{font-weight:400}
th:last-child,td:last-child{padding-right:0}
.right{text-align:right}
.center{text-align:center}
footer{margin:2.6rem 0 2rem;padding-top:.8rem;border-top:1px solid var(--line);
  font:400 .875rem/1.45 var(--label);color:var(--mid)}
footer p{max-width:60em;margin-top:.3rem}
@media(min-width:60rem){
  body{display:grid;grid-template-columns:14rem minmax(0,1fr);column-gap:3.5rem}
  header,footer{grid-column:1/-1}
  nav{position:sticky;top:1.5rem;align-self:start;max-height:calc(100vh - 3rem);overflow-y:auto;margin-top:2.3rem}
  nav ul{columns:1}
  nav a{padding:.3rem 0}
  main:only-of-type:nth-child(2){grid-column:1/-1}
}
@media print{
  @page{margin:17mm 16mm}
  html{font-size:9.4pt}
  body{display:block;max-width:none;padding:0;font-size:1rem;line-height:1.38}
  nav{display:none}
  header{padding:0}
  h1{font-size:30pt}
  .lead{font-size:12pt}
  main{max-width:none;columns:2;column-gap:8mm;column-rule:.2mm solid var(--line);margin-top:4mm}
  section{padding-top:4mm}
  section:first-child{padding-top:0}
  h2{font-size:13.5pt;break-after:avoid}
  h2 .n{font-size:11pt}
  h3{font-size:9.6pt;break-after:avoid;margin-top:.8rem}
  .note p,.note .label{font-size:8.9pt}
  table{font-size:8.8pt}
  thead th{font-size:8.2pt}
  th,td{padding-top:.8mm;padding-bottom:.8mm}
  small{font-size:6.4pt}
  li,tr,.note,h2,h3{break-inside:avoid}
  p{orphans:2;widows:2}
  footer{font-size:7.8pt;margin:6mm 0 0}
}
"""

CODE_STYLE = """\
code{font-family:var(--code);font-size:.875em;overflow-wrap:anywhere}
pre{margin:.7rem 0 0;padding:.7rem .9rem;overflow-x:auto;background:#f4f4f1;border-left:3px solid var(--line);
  font:400 .8125rem/1.45 var(--code);font-variant-ligatures:none;tab-size:4}
pre b{font-weight:600}
td code,th code{font-size:.8125rem;overflow-wrap:normal}
@media print{pre{font-size:7.4pt;white-space:pre-wrap;break-inside:avoid}}
"""
"""For documents that show what is typed."""

FIGURE_STYLE = """\
.figures{display:flex;flex-wrap:wrap;gap:1rem 1.2rem;align-items:flex-start;margin-top:1rem}
figure{margin:0;max-width:100%}
figure img{display:block;max-width:100%;height:auto;outline:1px solid var(--line)}
figure.plan img{outline:none}
figcaption{margin-top:.35rem;font:italic 400 .875rem/1.3 var(--label);color:var(--mid)}
@media print{.figures{break-inside:avoid}}
"""
"""For documents with pictures."""

BOOK_STYLE = """\
nav ul ul{columns:1;margin:.1rem 0 .5rem .9rem;border-left:2px solid var(--line);padding-left:.7rem}
nav ul ul a{padding:.15rem 0;font-size:.9375rem}
nav [aria-current]{color:var(--accent);font-weight:var(--label-weight)}
.d1{margin-left:1.4rem}
"""
"""For the pages of a book."""

RIGHT_TO_LEFT_STYLE = """\
main li{padding:0 1.5rem 0 0}
main ul>li::before{left:auto;right:.1rem}
main ol{padding:0 1.5rem 0 0}
main ol>li{padding:0}
.note{padding:.05rem 1rem .1rem 0;border-left:0;border-right:4px solid var(--accent)}
th,td{text-align:right;padding:.42rem 0 .42rem .9rem}
.right{text-align:left}
pre,code{direction:ltr;unicode-bidi:isolate}
"""
"""What the other styles say of left and right, the other way round."""
