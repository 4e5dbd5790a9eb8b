// Import: a dropped file is previewed like one that was chosen.
document.documentElement.classList.add("js");
const zone = document.getElementById("drop"), file = document.getElementById("file"), form = document.getElementById("bring");

for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, event => {
    event.preventDefault();               // a file dropped beside the zone must not replace the page
    zone.classList.toggle("over", kind === "dragover");
  });
}
document.addEventListener("drop", event => {
  if (!event.dataTransfer.files.length) return;
  file.files = event.dataTransfer.files;
  form.requestSubmit();
});
