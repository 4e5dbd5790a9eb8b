// The panel beside the desk's table: shows the page of one player, and sends its forms without leaving the table.
const PAGE = { Accept: "text/html" };      // an error is a page too, and whoever is not signed in gets the way to it

export class Panel {
  #asked = 0;

  constructor(panel, changed) {
    this.panel = panel;
    this.changed = changed;               // called after an action in the panel, to update the table
    this.link = null;
    panel.addEventListener("submit", event => this.#send(event));
    panel.addEventListener("click", event => { if (event.target.closest(".close")) this.close(); });
    document.addEventListener("click", event => this.#clicked(event));
    document.addEventListener("keydown", event => { if (event.key === "Escape" && this.isOpen()) this.close(); });
  }

  isOpen() { return !this.panel.hidden; }
  fits() { return matchMedia("(min-width: 64rem)").matches; }

  #clicked(event) {
    const link = event.target.closest("#players tbody a");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || !this.fits()) return;
    event.preventDefault();
    this.open(link);
    if (!event.detail) this.panel.focus({ preventScroll: true });   // opened with Enter: the keyboard continues in the panel
  }

  async open(link) {
    const asked = ++this.#asked, answer = await fetch(link.href, { headers: PAGE }).catch(() => null);
    if (asked !== this.#asked) return;    // another player was opened meanwhile
    if (!answer?.ok || answer.redirected) location.href = link.href;
    else this.#show(await answer.text(), link.pathname);
  }

  #show(text, path) {
    const page = new DOMParser().parseFromString(text, "text/html"), part = page.getElementById("detail") ?? page.createElement("div");
    if (!part.id) {                       // a page without a player, such as that of a new link
      part.id = "detail";
      part.append(...page.querySelectorAll("main > :not(.back)"));
    }
    if (this.path !== path || !this.isOpen()) this.panel.scrollTop = 0;
    this.path = path;
    this.panel.querySelector("#detail").replaceWith(part);
    this.panel.hidden = false;
    this.mark();
  }

  mark() {                                // marks the player's row, also after the table was replaced
    for (const link of document.querySelectorAll("#players tbody a")) {
      const isShown = this.isOpen() && link.pathname === this.path;
      if (isShown) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
      if (isShown) this.link = link;
    }
  }

  close() {
    this.#asked++;
    this.panel.hidden = true;
    this.mark();
    this.link?.focus({ preventScroll: true });
  }

  #fields() { return [...this.panel.querySelectorAll("form :is(textarea, input:not([type=hidden]))")].filter(each => !each.hidden); }

  async #send(event) {
    event.preventDefault();
    const { target, submitter } = event, body = new FormData(target, submitter), at = remedies().indexOf(submitter);
    const action = submitter?.getAttribute("formaction") ?? target.action;
    const answer = await fetch(action, { method: "POST", body, headers: PAGE }).catch(() => null);
    if (!answer) { unanswered(target); return; }
    const typed = this.#fields().filter(each => each.form !== target && each.value !== each.defaultValue);
    if (answer.redirected && new URL(answer.url).pathname === location.pathname) location.href = answer.url;   // the player no longer exists
    else this.#show(await answer.text(), this.path);
    for (const { name, value, form } of typed) {   // what was typed in the other forms stays
      const field = this.#fields().find(each => each.name === name && each.form.action === form.action);
      if (field) field.value = value;
    }
    refocus(at);
    if (document.activeElement === document.body) {
      const same = [...this.panel.querySelectorAll("button")].find(each => each.textContent === submitter?.textContent);
      (same ?? this.panel).focus({ preventScroll: true });
    }
    this.changed();
  }
}

export function unanswered(form) {         // says that a form was not sent, and leaves what was typed in it
  const words = form.querySelector(".unanswered") ?? document.createElement("p");
  words.className = "state unanswered";
  words.role = "alert";
  words.textContent = "The server does not answer. What you typed is still here: send it again in a moment.";
  form.append(words);
}

function remedies() { return [...document.querySelectorAll("[name=fix], [name=undo]")]; }

export function isMend(button) { return button?.name === "fix" || button?.name === "undo"; }

function refocus(at) {              // a remedy's button goes with its finding: the next one gets the focus
  if (at < 0 || document.activeElement !== document.body) return;
  const next = remedies(), list = document.getElementById("list");
  (next[Math.min(at, next.length - 1)] ?? list?.elements.deck)?.focus({ preventScroll: true });
}

export async function mendInPlace(event) {   // makes a remedy in the text as it stands, without leaving the place
  event.preventDefault();
  const { target, submitter } = event, at = remedies().indexOf(submitter);
  const answer = await fetch(submitter.getAttribute("formaction"), {
    method: "POST", body: new FormData(target, submitter), headers: PAGE,
  }).catch(() => null);
  if (!answer) { unanswered(target); return; }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of ["detail", "main"]) {
    const old = document.getElementById(id), now = page.getElementById(id);
    if (!old || !now) continue;
    old.replaceWith(now);
    break;
  }
  refocus(at);
}

document.addEventListener("keydown", event => {   // Ctrl+Z undoes a remedy, unless something was typed after it
  const button = document.querySelector("[name=undo]"), deck = button?.form?.elements.deck;
  if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || !deck || deck.value !== deck.defaultValue) return;
  event.preventDefault();
  button.click();
});
