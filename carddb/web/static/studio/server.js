// The studio's requests, sent one after the other so that the answers come in order.
import { $, parameters } from "./parts.js";

const OVERLAYS = ["trim", "bleed", "safe", "text"];

export class Server {
  #last = Promise.resolve();

  constructor(game, take) {
    this.game = game;
    this.take = take;                     // called with the new state of the table
    this.looks = $("looks");
    this.token = $("store").querySelector("input");
  }

  question() {                            // the parameters of all requests: the query, and how faces are drawn
    const form = new FormData(this.looks);
    const over = OVERLAYS.filter(name => form.get(name)).join(",");
    return { game: this.game, q: $("q").value, size: form.get("size"), side: form.get("side"), ink: form.get("ink"), over };
  }

  post(path, values) {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...this.question(), ...values })) body.append(name, value ?? "");
    body.set(this.token.name, this.token.value);
    return this.#ask(path, { method: "POST", body, headers: { Accept: "application/json" } });
  }

  refresh() { return this.#ask(() => `/studio/state?${parameters(this.question())}`); }

  #ask(path, options) {
    this.#last = this.#last.catch(() => {}).then(async () => {
      const answer = await fetch(typeof path === "function" ? path() : path, options);
      this.take(await answer.json());
    });
    return this.#last;
  }

  face(row, state, withLines) {           // the URL of a face, with a key that changes when it must be drawn again
    const { size, side, ink, over } = this.question(), key = state === "stored" ? row.before : row.now;
    const lines = withLines ? over : "";
    const values = { state, side, size, ink, over: lines, v: lines ? `${key}-${lines}` : key };
    return `/studio/face/${encodeURIComponent(this.game)}/${encodeURIComponent(row.ref)}.svg?${parameters(values)}`;
  }

  remember(ref) { history.replaceState(null, "", `/studio?${parameters({ ...this.question(), card: ref })}`); }
}
