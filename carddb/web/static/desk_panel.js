// The panel beside the desk's table: shows the page of one player, and sends its forms without leaving the table.
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
    const asked = ++this.#asked, answer = await fetch(link.href).catch(() => null);
    if (asked !== this.#asked) return;    // another player was opened meanwhile
    if (!answer?.ok) location.href = link.href;
    else this.#show(await answer.text(), link.pathname);
  }

  #show(text, path) {
    const page = new DOMParser().parseFromString(text, "text/html"), part = page.getElementById("detail") ?? page.createElement("div");
    if (!part.id) {                       // a page without a player, such as that of a new link
      part.id = "detail";
      part.append(...page.querySelectorAll("main > :not(.back)"));
    }
    this.path = path;
    this.panel.querySelector("#detail").replaceWith(part);
    this.panel.hidden = false;
    this.panel.scrollTop = 0;
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

  async #send(event) {
    event.preventDefault();
    const { target, submitter } = event, body = new FormData(target, submitter);
    const answer = await fetch(target.action, { method: "POST", body }), to = new URL(answer.url).pathname;
    if (answer.redirected && to === location.pathname) location.href = answer.url;   // the player no longer exists
    else this.#show(await answer.text(), this.path);
    this.changed();
  }
}
