// The strip: small faces of the cards in the table, side by side.
import { $, element, parameters, plural } from "./parts.js";

export class Strip {
  constructor(server, faces, goTo) {
    this.server = server;
    this.faces = faces;
    this.list = $("strip");
    this.list.addEventListener("click", event => {
      const item = event.target.closest("li");
      if (!item) return;
      event.preventDefault();
      goTo(item.dataset.ref);
    });
  }

  show(rows, selected) {
    const old = new Map([...this.list.children].map(item => [item.dataset.ref, item]));
    const items = rows.filter(row => row.now).map(row => {
      const item = old.get(row.ref) ?? this.#newFace(row), image = item.querySelector("img");
      old.delete(row.ref);
      item.classList.toggle("drafted", Boolean(row.before) || row.is_new);
      item.classList.toggle("sel", row.ref === selected);
      item.querySelector("span").textContent = row.ref + (Object.keys(row.drafts).length ? " draft" : row.before ? " changed" : "");
      this.faces.watch(image);
      this.faces.show(image, row.ref, this.server.face(row, "now", false));
      return item;
    });
    for (const item of old.values()) this.faces.forget(item.querySelector("img"));
    const isSame = items.length === this.list.children.length && items.every((item, number) => this.list.children[number] === item);
    if (!isSame) this.list.replaceChildren(...items);
    const changed = rows.filter(row => row.before || row.is_new).length;
    $("strip-facts").textContent = plural(items.length, "face") + (changed ? `, ${changed.toLocaleString("en")} changed` : "");
  }

  select(ref) { for (const item of this.list.children) item.classList.toggle("sel", item.dataset.ref === ref); }
  mark(wrong) { for (const item of this.list.children) item.classList.toggle("bad", wrong.has(item.dataset.ref)); }

  #newFace(row) {
    const item = element("li"), link = element("a"), image = new Image();
    const example = $("after")?.querySelector("img");
    item.dataset.ref = row.ref;
    link.href = `/studio?${parameters({ game: this.server.game, card: row.ref })}`;
    image.loading = "lazy";
    image.alt = "";
    for (const name of example ? ["width", "height"] : []) image.setAttribute(name, example.getAttribute(name));
    link.append(image, element("span"));
    item.append(link);
    return item;
  }
}
