// A sheet on the web: asked again every half minute while the page is looked at, and the difference shown.
const form = document.getElementById("sheet"), told = document.getElementById("sheet-told");
const EVERY = 30_000, MOST = 240;         // two hours
let timer = 0, left = 0;

async function ask() {
  clearTimeout(timer);
  if (!document.hidden) {
    const answer = await fetch(form.action, {method: "POST", body: new FormData(form)}).catch(() => null);
    const text = answer ? await answer.text() : "";
    if (text && text !== told.dataset.text) told.innerHTML = told.dataset.text = text;
    if (!answer?.ok) left = Math.min(left, 5);
    left -= 1;
  }
  if (left > 0) timer = setTimeout(ask, EVERY);
  else told.append("This sheet is no longer watched. Press Watch to go on.");
}

form.addEventListener("submit", event => {
  event.preventDefault();
  left = MOST;
  ask();
});
document.addEventListener("visibilitychange", () => { if (!document.hidden && left > 0) ask(); });
