// The search of a site without a server: every word must be among those of a card. If no card has them all, a word may
// have one letter wrong, too few or too many, or two swapped. Works from a disk too.
(() => {
  const field = document.getElementById("q"), items = [...document.getElementById("cards").children];
  const shown = document.getElementById("count"), total = shown.textContent, all = [...shown.childNodes];
  const plain = text => text.normalize("NFD").replace(/\p{M}|['’ʼ`´]/gu, "").toLowerCase();
  const cards = window.CARDS.map(card => plain(card.words)), words = cards.map(text => text.split(/[^\p{L}\p{N}]+/u));
  function isNear(typed, word) {
    let at = 0;
    while (at < typed.length && typed[at] === word[at]) at += 1;
    const [mine, theirs] = [typed.slice(at), word.slice(at)];
    return mine.slice(1) === theirs.slice(1) || mine === theirs.slice(1) || mine.slice(1) === theirs
      || (mine[0] === theirs[1] && mine[1] === theirs[0] && mine.slice(2) === theirs.slice(2));
  }
  const has = (typed, number) => cards[number].includes(typed);
  const resembles = (typed, number) => has(typed, number) || (typed.length > 3 && words[number].some(word =>
    [word, ...[-1, 0, 1].map(more => word.slice(0, typed.length + more))].some(part => isNear(typed, part))));
  function search() {
    const typed = field.value.split(/\s+/).map(word => plain(word).replace(/[^\p{L}\p{N}]+/gu, " ").trim()).filter(Boolean);
    const fitting = test => items.map((_, number) => typed.every(word => test(word, number)));
    let found = fitting(has);
    if (!found.includes(true)) found = fitting(resembles);
    items.forEach((item, number) => { item.hidden = !found[number]; });
    const count = found.filter(Boolean).length;
    document.getElementById("none").hidden = count > 0;
    if (typed.length) shown.textContent = shown.dataset.some.replace("{count}", count).replace("{all}", total);
    else shown.replaceChildren(...all);
  }
  document.getElementById("ask").hidden = false;
  document.getElementById("ask").addEventListener("submit", event => event.preventDefault());
  field.addEventListener("input", search);
})();
