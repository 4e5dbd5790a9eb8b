// Faces are drawn by the server one after the other: those that are seen first, each swapped in place when it is ready.
export class Faces {
  #queue = [];
  #busy = 0;
  #shown = new Map();                     // image -> the address that it shows, or is to show
  facts = new Map();                      // reference -> what is wrong with the face of the card as it is now

  constructor(ondrawn) {
    this.ondrawn = ondrawn;               // (ref, facts)
    this.seen = new Set();
    this.watcher = new IntersectionObserver(entries => {
      for (const { target, isIntersecting } of entries) this.seen[isIntersecting ? "add" : "delete"](target);
    }, { rootMargin: "120px" });
  }

  show(image, ref, address, urgent = false) {
    if (this.#shown.get(image) === address) return;
    this.#shown.set(image, address);
    this.#queue = this.#queue.filter(job => job.image !== image);
    this.#queue.push({ image, ref, address, urgent });
    this.#next();
  }

  #next() {
    while (this.#busy < 2 && this.#queue.length) {
      const at = Math.max(0, this.#queue.findIndex(job => job.urgent), -1);
      const seen = this.#queue.findIndex(job => this.seen.has(job.image));
      const [job] = this.#queue.splice(this.#queue[at].urgent || seen < 0 ? at : seen, 1);
      this.#busy++;
      this.#draw(job).finally(() => { this.#busy--; this.#next(); });
    }
  }

  async #draw({ image, ref, address }) {
    const answer = await fetch(address.replace(".svg?", ".json?"));
    if (!answer.ok || this.#shown.get(image) !== address) return;
    const facts = await answer.json();
    if (address.includes("state=now")) this.facts.set(ref, facts);
    if (!facts.fault) await swap(image, address);
    else this.#shown.delete(image);       // it is asked for again when something was saved
    this.ondrawn(ref, facts, image);
  }

  left() { return this.#queue.length + this.#busy; }
}

async function swap(image, address) {     // the old face stays until the new one can be painted; the focus stays too
  if (image.getAttribute("src") === address) return;
  const next = new Image();
  next.src = address;
  await next.decode().catch(() => {});
  image.src = address;
}
