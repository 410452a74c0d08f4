// The search on the front page: in the sections of all pages to read, which are loaded at the first key.
/* global document, window */
(() => {
  const form = document.querySelector(".search");
  const input = form.querySelector("input");
  const found = form.querySelector("ol");
  const status = form.querySelector("[role=status]");
  const MOST = 12;
  const AROUND = 80; // letters on each side of a word that is found
  let sections;

  const load = () =>
    new Promise((resolve) => {
      const script = Object.assign(document.createElement("script"), { src: "assets/sections.js" });
      script.addEventListener("load", () => resolve(window.courseSections));
      document.head.append(script);
    });

  function score({ title, text }, words) {
    const counts = words.map((word) => text.toLowerCase().split(word).length - 1);
    const titles = words.filter((word) => title.toLowerCase().includes(word)).length;
    return counts.every(Boolean) ? 20 * titles + Math.min(...counts) : 0;
  }

  function result({ page, id, title, text }, [word]) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `read/${page}#${id}`;
    const number = parseInt(page);
    link.textContent = title.startsWith(`${number}. `) ? title : `${number}: ${title}`;
    const at = text.toLowerCase().indexOf(word);
    const words = document.createElement("p");
    words.textContent = `… ${text.slice(Math.max(0, at - AROUND), at + AROUND)} …`;
    item.append(link, words);
    return item;
  }

  async function search() {
    sections ??= load();
    const all = await sections;
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const ranked = all.map((section) => [words.length && score(section, words), section]);
    const best = ranked.filter(([points]) => points).sort(([a], [b]) => b - a);
    found.replaceChildren(...best.slice(0, MOST).map(([, section]) => result(section, words)));
    status.textContent = words.length && !best.length ? status.dataset.nothing : "";
  }

  form.hidden = false;
  input.addEventListener("input", search);
  form.addEventListener("submit", (event) => event.preventDefault());
})();
