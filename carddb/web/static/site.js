// The search of a site without a server: every word must stand in what is known of a card. Works from a disk too.
(() => {
  const field = document.getElementById("q"), items = [...document.getElementById("cards").children];
  const shown = document.getElementById("count"), total = shown.textContent, all = [...shown.childNodes];
  const plain = text => text.normalize("NFD").replace(/\p{M}|['’ʼ`´]/gu, "").toLowerCase();
  function search() {
    const words = field.value.split(/\s+/).map(word => plain(word).replace(/[^\p{L}\p{N}]+/gu, " ").trim()).filter(Boolean);
    let count = 0;
    window.CARDS.forEach((card, number) => {
      const fits = words.every(word => plain(card.words).includes(word));
      items[number].hidden = !fits;
      count += fits;
    });
    document.getElementById("none").hidden = count > 0;
    if (words.length) shown.textContent = shown.dataset.some.replace("{count}", count).replace("{all}", total);
    else shown.replaceChildren(...all);
  }
  document.getElementById("ask").hidden = false;
  document.getElementById("ask").addEventListener("submit", event => event.preventDefault());
  field.addEventListener("input", search);
})();
