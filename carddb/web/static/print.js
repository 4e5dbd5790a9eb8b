// The print form and the components form: a change updates the counts at once, then the pictures, then what needs drawing.
const $ = id => document.getElementById(id);
const form = $("opts");
const REST = 500;                          // milliseconds without a change before all faces are drawn
let latest = 0, timer = 0;                 // latest: the number of the last request; answers to older ones are ignored

async function answer(quick) {
  const request = latest, body = new FormData(form);
  if (quick) body.set("quick", "1");
  const response = await fetch(form.action, { method: "POST", body });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return request === latest && page.getElementById("result") ? page : null;
}

async function foresee() {
  latest++;
  clearTimeout(timer);
  $("result").setAttribute("aria-busy", "true");
  const page = await answer(true);
  if (!page) return;
  show(page, true);
  await pictures();
  timer = setTimeout(draw, REST);
}

async function draw() {                    // updates the ink, the faulty faces, and the changes since a print
  const page = await answer(false);
  if (!page) return;
  for (const figure of document.querySelectorAll("[data-live]")) {
    figure.textContent = page.getElementById(figure.id)?.textContent ?? "";
  }
  show(page, false);
  await pictures();
}

function show(page, quick) {
  const ink = $("ink-figure")?.textContent, old = shown(), focused = document.activeElement?.name;
  for (const image of page.querySelectorAll("img[data-side]")) {
    image.removeAttribute("src");
    const picture = old.get(image.dataset.side);
    if (picture && quick) image.before(picture);
    else if (picture) image.replaceWith(picture);
  }
  for (const id of ["selection", "facts", "result", "only", "press", "why"]) {
    const part = $(id), opened = [...part?.querySelectorAll("[type=file]") ?? []].some(input => input.files.length);
    const typing = ["only", "press"].includes(id) && part?.contains(document.activeElement) && !opened;
    if (!typing) part?.replaceWith(page.getElementById(id));
  }
  if (quick && ink && $("ink-figure")) $("ink-figure").textContent = ink;
  const make = page.getElementById("make");
  $("make").disabled = make.disabled;
  $("make").textContent = make.textContent;
  document.title = page.title;
  if (document.activeElement === document.body && focused) form.querySelector(`:is(#result, #only, #press) [name="${focused}"]`)?.focus();
  if (quick) $("result").setAttribute("aria-busy", "true");
  ready();
}

function shown() {                         // the old pictures stay until the new ones are drawn
  const sheets = [...document.querySelectorAll(".sheets :is(canvas, img[src])")];
  return new Map(sheets.map(picture => [picture.dataset.side, picture]));
}

function ready() {
  if ($("copy")) $("copy").hidden = false;
}

async function pictures() {
  for (const image of document.querySelectorAll("img[data-side]:not([src])")) await picture(image);
}

async function picture(image) {            // by POST, because a deck must not be in a URL
  const request = latest, body = new FormData(form);
  const response = await fetch(`${form.action}/${image.dataset.side}.png`, { method: "POST", body });
  if (request !== latest || !image.isConnected) return;
  if (!response.ok) {
    image.previousElementSibling?.remove();
    return;
  }
  const data = new Uint8Array(await response.arrayBuffer());
  const bitmap = await createImageBitmap(new Blob([data], { type: "image/png" }));
  const canvas = document.createElement("canvas");
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.role = "img";
  canvas.ariaLabel = image.alt;
  canvas.dataset.side = image.dataset.side;
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  image.previousElementSibling?.remove();
  image.replaceWith(canvas);
}

form.addEventListener("change", event => {
  if (event.target.id === "q") return;
  latest++;                                // ignore the answer on its way, which would undo this change
  clearTimeout(timer);
  timer = setTimeout(event.target.id === "file" ? () => form.requestSubmit($("show")) : foresee, 60);
});
form.addEventListener("submit", event => {
  const button = event.submitter;
  if (button?.hasAttribute("formaction") || $("file")?.files.length) return;
  event.preventDefault();
  foresee();
});
form.addEventListener("click", event => {
  if (event.target.id !== "copy") return;
  getSelection().selectAllChildren($("cmd"));   // works without a secure origin too
  event.target.textContent = document.execCommand("copy") ? "Copied" : "Selected: press Ctrl C";
});
ready();
if ($("cmd")) pictures().then(() => { timer = setTimeout(draw, 0); });
