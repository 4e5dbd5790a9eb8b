// The search of a site without a server: every word must stand in what is known of a card. Works from a disk too.
(() => {
  const field = document.getElementById("q"), items = [...document.getElementById("cards").children];
  const total = document.getElementById("count").textContent;
  const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  function search() {
    const words = plain(field.value).split(/\s+/).filter(Boolean);
    let count = 0;
    window.CARDS.forEach((card, number) => {
      const fits = words.every(word => plain(card.words).includes(word));
      items[number].hidden = !fits;
      count += fits;
    });
    document.getElementById("none").hidden = count > 0;
    document.getElementById("count").textContent = words.length ? `${count} of ${total}` : total;
  }
  document.getElementById("ask").hidden = false;
  document.getElementById("ask").addEventListener("submit", event => event.preventDefault());
  field.addEventListener("input", search);
})();
