// The printers: when another paper is chosen, the server draws the positions of its scales.
const $ = id => document.getElementById(id);

$("paper").addEventListener("change", async () => {
  const body = new FormData($("reading"));
  body.set("look", "1");
  const answer = await fetch("/print/printers", { method: "POST", body });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = page.getElementById("result");
  if (now) $("result").replaceWith(now);
});
