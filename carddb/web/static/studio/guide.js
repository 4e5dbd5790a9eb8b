// The rule sheet beside the studio: when it changes, only the parts with another text are replaced.
const KINDS = ["guide", "game"];
const guide = document.getElementById("guide");

function swap(old, next) {                // replaces the smallest parts that differ
  if (old.isEqualNode(next)) return;
  const isAlike = old.cloneNode(false).isEqualNode(next.cloneNode(false)) && old.children.length === next.children.length;
  if (!isAlike || !old.querySelector("p, li")) {
    old.replaceWith(next);
    return;
  }
  const parts = [...next.children];
  [...old.children].forEach((part, number) => swap(part, parts[number]));
}

async function refresh() {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const style = new CSSStyleSheet(), rules = [];   // fonts contain only the characters in use, so each version has its own style
  const text = (await answer.text()).replace(/<style>([^]*?)<\/style>/g, (_, each) => { rules.push(each); return ""; });
  const page = new DOMParser().parseFromString(text, "text/html");
  style.replaceSync(rules.join("\n"));
  document.adoptedStyleSheets = [style];
  for (const each of document.querySelectorAll("style")) each.remove();
  const parts = [...page.body.children];
  if (parts.length !== document.body.children.length) document.body.replaceChildren(...parts);
  else [...document.body.children].forEach((part, number) => swap(part, parts[number]));
  document.title = page.title;
}

const source = new EventSource(`/studio/events?${new URLSearchParams({ game: guide.dataset.game })}`);
source.addEventListener("saved", event => {
  const kinds = Object.values(JSON.parse(event.data));   // empty when watching begins
  if (!kinds.length || kinds.some(kind => KINDS.includes(kind))) refresh();
});
