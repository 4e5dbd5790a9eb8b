// The queue of faces to be drawn by the server: visible ones first, each replaced when the new one is ready.
export class Faces {
  #jobs = new Map();                      // image -> its request, in the order of the requests
  #busy = 0;
  #shown = new Map();                     // image -> the URL that it shows or will show
  #seen = new Set();
  #watcher = new IntersectionObserver(entries => {
    for (const { target, isIntersecting } of entries) this.#seen[isIntersecting ? "add" : "delete"](target);
  }, { rootMargin: "120px" });
  facts = new Map();                      // reference -> findings about the card's current face

  constructor(drawn) { this.drawn = drawn; }    // (ref, facts, image)

  watch(image) { this.#watcher.observe(image); }

  forget(image) {
    this.#watcher.unobserve(image);
    for (const list of [this.#jobs, this.#shown, this.#seen]) list.delete(image);
  }

  show(image, ref, address, urgent = false) {
    if (this.#shown.get(image) === address) return;
    this.#shown.set(image, address);
    this.#jobs.delete(image);
    this.#jobs.set(image, { image, ref, address, urgent });
    this.#next();
  }

  #next() {
    while (this.#busy < 2 && this.#jobs.size) {
      const jobs = [...this.#jobs.values()];
      const job = jobs.find(each => each.urgent) ?? jobs.find(each => this.#seen.has(each.image)) ?? jobs[0];
      this.#jobs.delete(job.image);
      this.#busy++;
      this.#draw(job).finally(() => { this.#busy--; this.#next(); });
    }
  }

  async #draw({ image, ref, address, urgent }) {
    const answer = await fetch(address.replace(".svg?", ".json?"));
    const facts = answer.ok && await answer.json();
    if (!facts || this.#shown.get(image) !== address) return;   // meanwhile another face was requested for this image
    if (address.includes("state=now")) this.facts.set(ref, facts);
    if (facts.fault) this.#shown.delete(image);   // so that it is requested again after files were saved
    else if (urgent || this.#seen.has(image)) await swap(image, address);
    else image.src = address;             // loaded when it comes into view
    this.drawn(ref, facts, image);
  }

  left() { return this.#jobs.size + this.#busy; }
}

async function swap(image, address) {     // keeps the old face until the new one is decoded; the focus stays too
  if (image.getAttribute("src") === address) return;
  const next = new Image();
  next.src = address;
  await next.decode().catch(() => {});
  image.src = address;
}
