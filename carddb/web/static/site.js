// The search of a site without a server: words, phrases, "-" and "or", as a server understands them. Works from a disk too.
(() => {
  const field = document.getElementById("q"), form = document.getElementById("ask"), items = [...document.getElementById("cards").children];
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
  function search() {
    const lists = alternatives(field.value);
    let count = 0;
    window.CARDS.forEach((card, number) => {
      const fits = !lists.length || lists.some(terms => terms.every(([isExcluded, words]) => card.words.includes(words) !== isExcluded));
      items[number].hidden = !fits;
      count += fits;
    });
    document.getElementById("none").hidden = count > 0;
    if (lists.length) shown.textContent = shown.dataset.some.replace("{count}", count).replace("{all}", total);
    else shown.replaceChildren(...all);
  }
  form.hidden = false;
  form.addEventListener("submit", event => event.preventDefault());
  field.addEventListener("input", search);
})();
