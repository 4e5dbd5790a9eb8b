// The search of a site without a server: words, phrases, "-" and "or", as a server understands them. If no card fits, a
// word may have one letter too few or too many, two swapped, or, of five or more, one wrong. Works from a disk too.
(() => {
  const field = document.getElementById("q"), form = document.getElementById("ask"), items = [...document.querySelectorAll("#cards li")];
  const shown = document.getElementById("count"), total = shown.textContent, all = [...shown.childNodes];
  const speltOut = JSON.parse(form.dataset.speltOut), ideographs = /[\u2e80-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/gu;
  function folded(text) {                 // the words without case, accents and punctuation, each preceded by a space
    const bare = text.toUpperCase().toLowerCase().replace(/ς/g, "σ").normalize("NFKD").replace(/\p{M}/gu, "");
    const plain = bare.replace(/./gu, letter => speltOut[letter] ?? letter).replace(/[^\p{L}\p{N}]+/gu, " ");
    const words = plain.replace(ideographs, " $& ").trim();
    return words && ` ${words.replace(/\s+/g, " ")}`;
  }
  function alternatives(query) {          // lists of terms of which one list must fit; a term is [is excluded, words]
    const lists = [[]];
    for (const [, minus, phrase, word] of query.matchAll(/(-?)(?:"((?:[^"\\]|\\.)*)"?|([^\s"]+))/gu)) {
      const words = folded(phrase?.replace(/\\(.)/gu, "$1") ?? word);
      if (!minus && /^or$/i.test(word ?? "")) lists.push([]);
      else if (words && (minus || !/^and$/i.test(word ?? ""))) lists.at(-1).push([Boolean(minus), words]);
    }
    return lists.filter(terms => terms.length);
  }
  function isNear(typed, word) {
    let at = 0;
    while (at < typed.length && typed[at] === word[at]) at += 1;
    const [mine, theirs] = [typed.slice(at), word.slice(at)];
    return (typed.length > 4 && mine.slice(1) === theirs.slice(1)) || mine === theirs.slice(1) || mine.slice(1) === theirs
      || (mine[0] === theirs[1] && mine[1] === theirs[0] && mine.slice(2) === theirs.slice(2));
  }
  const has = (words, card) => card.words.includes(words);
  const resembles = (words, card) => has(words, card) || (words.length > 4 && card.words.trim().split(" ").some(word =>
    [word, ...[-2, -1, 0].map(more => word.slice(0, words.length + more))].some(part => isNear(words.trim(), part))));
  function search() {
    const lists = alternatives(field.value);
    const fitting = test => window.CARDS.map(card => !lists.length || lists.some(terms => terms.every(
      ([isExcluded, words]) => isExcluded ? !has(words, card) : test(words, card))));
    let found = fitting(has);
    if (!found.includes(true)) found = fitting(resembles);
    items.forEach((item, number) => { item.hidden = !found[number]; });
    for (const section of document.querySelectorAll("#cards section")) {
      const figure = section.querySelectorAll("li:not([hidden])").length;
      for (const place of [section.querySelector(".n"), document.querySelector(`#cards nav [href="#${section.id}"] small`)])
        if (place) place.textContent = figure;
    }
    const count = items.filter(item => item.offsetParent).length;  // of the kind that the address names, if it names one
    document.getElementById("none").hidden = count > 0;
    if (lists.length) shown.textContent = shown.dataset.some.replace("{count}", count).replace("{all}", total);
    else shown.replaceChildren(...all);
  }
  form.hidden = false;
  form.addEventListener("submit", event => event.preventDefault());
  field.addEventListener("input", search);
  addEventListener("hashchange", search);
})();
