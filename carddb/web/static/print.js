// The print room: what is chosen is foreseen by the server, and its first sheet is drawn when it is known.
const $ = id => document.getElementById(id);
const form = $("opts");
let asked = 0, timer = 0;

async function foresee() {
  const number = ++asked, body = new FormData(form);
  $("result").setAttribute("aria-busy", "true");
  const answer = await fetch("/print", { method: "POST", body });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (number !== asked || !page.getElementById("result")) return;
  for (const id of ["facts", "result"]) $(id).replaceWith(page.getElementById(id));
  $("make").disabled = page.getElementById("make").disabled;
  document.title = page.title;
  ready();
}

function ready() {
  const copy = $("copy");
  if (copy) copy.hidden = false;
  for (const image of document.querySelectorAll("img[data-side]:not([src])")) draw(image);
}

async function draw(image) {              // a deck is sent in a form, never in an address
  const number = asked, body = new FormData(form);
  const answer = await fetch(`/print/${image.dataset.side}.png`, { method: "POST", body });
  if (!answer.ok || number !== asked) return;
  const data = new Uint8Array(await answer.arrayBuffer());
  const bitmap = await createImageBitmap(new Blob([data], { type: "image/png" }));
  const canvas = document.createElement("canvas");
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.role = "img";
  canvas.ariaLabel = image.alt;
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  image.replaceWith(canvas);
}

form.addEventListener("change", event => {
  clearTimeout(timer);
  if (event.target.id !== "q") timer = setTimeout(foresee, 60);
});
form.addEventListener("submit", event => {
  if (event.submitter?.id === "make") return;
  event.preventDefault();
  foresee();
});
form.addEventListener("click", event => {
  if (event.target.id !== "copy") return;
  getSelection().selectAllChildren($("cmd"));   // works without a secure origin too
  event.target.textContent = document.execCommand("copy") ? "Copied" : "Selected: press Ctrl C";
});
ready();
