// Decks that this browser keeps in its local storage: `carddb-decks` is {name: {game, text, day}}.
const $ = id => document.getElementById(id);
const area = document.querySelector("#deck-form [name=deck]"), game = document.querySelector("#deck-form [name=game]");

const kept = () => JSON.parse(localStorage.getItem("carddb-decks") ?? "{}");

function line(key) {                      // a line of the deck's header
  return area.value.match(new RegExp(`^${key}:[ \\t]*(.*)$`, "mi"))?.[1].trim() ?? "";
}

function store(decks, words) {
  try {
    localStorage.setItem("carddb-decks", JSON.stringify(decks));
    $("kept-says").textContent = words;
  } catch {
    $("kept-says").textContent = "This browser could not store it. Delete another deck, or allow this site to store data.";
  }
  list();
}

function keep() {
  const name = $("kept-name").value.trim() || line("Name") || "My deck", decks = kept();
  const words = name in decks ? `${name} replaces the deck that was kept under this name.` : `${name} is kept.`;
  store({ ...decks, [name]: { game: $("figs")?.dataset.game || game.value, text: area.value, day: new Date().toISOString().slice(0, 10) } }, words);
}

function open(name) {
  area.value = kept()[name].text;
  $("kept-name").value = name;
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

function remove(name) {
  const { [name]: deck, ...others } = kept();
  store(others, `${name} is deleted.`);
  $("kept-name").focus({ preventScroll: true });
}

function button(words, action) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.addEventListener("click", action);
  return made;
}

function list() {
  const here = game.type === "hidden" ? game.value : "";   // the builder lists the decks of its game
  const names = Object.keys(kept()).filter(name => !here || kept()[name].game === here);
  $("kept-list").replaceChildren(...names.sort().map(name => {
    const item = document.createElement("li"), words = document.createElement("span"), day = document.createElement("small");
    item.className = "row";
    words.textContent = name;
    day.textContent = kept()[name].day;
    const opening = button("Open", () => open(name)), deleting = button("Delete", () => remove(name));
    opening.ariaLabel = `Open ${name}`;
    deleting.ariaLabel = `Delete ${name}`;
    item.append(words, day, opening, deleting);
    return item;
  }));
}

$("keep").addEventListener("click", keep);
$("kept").hidden = false;
list();
