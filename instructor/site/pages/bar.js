// The bar above a notebook that runs in the browser: what is loading, ways to other pages, and the reader's work.
/* global Blob, Event, URL, URLSearchParams, alert, confirm, document, location, navigator, setTimeout, window */
const path = new URLSearchParams(location.search).get("path") ?? "";
const bars = [...document.querySelectorAll(".course-bar")]; // one for each language, first English
const bar = bars.findLast(({ dataset }) => path.startsWith(dataset.folder));
const texts = bar.dataset;
const own = path.slice(texts.folder.length);
const [folder, name] = own.replace(/\.ipynb$/, "").split("/");
const work = bar.querySelector(".work");
const status = bar.querySelector("[role=status]");
const VIEW = "application/vnd.jupyter.widget-view+json";

const SETTLING = 1000; // milliseconds in which the cells of a notebook find their places

const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function opened() {
  while (!window.jupyterapp?.shell.currentWidget?.context) await later(100);
  const { context } = window.jupyterapp.shell.currentWidget;
  await context.ready;
  return context;
}

/** Waits until no other tab has this notebook: the page to read covers it, so that nothing is written twice. */
async function alone() {
  if (!navigator.locks) return; // without https
  const first = await new Promise((resolve) => {
    navigator.locks.request(path, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock && new Promise(() => {}); // kept until this page is left
    });
  });
  if (first) return;
  status.textContent = texts.twice;
  await navigator.locks.request(path, () => location.reload()); // the other tab has saved its work
  await new Promise(() => {});
}

/** A copy of a notebook whose widgets leave their pictures behind: without Python there is no widget. */
function withoutWidgets(notebook) {
  const still = (output) => {
    if (Object.keys(output.data ?? {}).length < 2) return output;
    const { [VIEW]: view, ...data } = output.data;
    if (view && Object.keys(data).join() === "text/plain") data["text/plain"] = `${data["text/plain"]}\n${texts.run}`;
    return { ...output, data };
  };
  const cells = notebook.cells.map((cell) => (cell.outputs ? { ...cell, outputs: cell.outputs.map(still) } : cell));
  return { ...notebook, cells };
}

/** Work is saved after each run, and when the page is left; JupyterLab saves it every ten seconds. */
function keepSaving({ commands, serviceManager }, context) {
  const { contents } = serviceManager;
  const save = contents.save.bind(contents);
  contents.save = (file, model) =>
    save(file, model.type === "notebook" ? { ...model, content: withoutWidgets(model.content) } : model);
  let last = Promise.resolve(); // one after the other, or each finds the file changed by another
  const keep = () => (last = last.then(() => context.model.dirty && context.save()).catch(() => {}));
  commands.commandExecuted.connect((_, { id, result }) => {
    if (/^(notebook:run|runmenu:)/.test(id)) result.then(keep);
    if (id.includes("interrupt")) status.textContent = texts.interrupt;
    if (id.includes("restart")) status.textContent = "";
  });
  document.addEventListener("visibilitychange", keep);
}

async function replaceBy(context, content) {
  const { contents } = window.jupyterapp.serviceManager;
  if (content) await contents.save(path, { type: "notebook", format: "json", content });
  else await contents.delete(path); // what is stored in the browser: then the site's own comes again
  context.model.dirty = false;
  location.reload();
}

async function upload(context, [file]) {
  try {
    const content = JSON.parse(await file.text());
    withoutWidgets(content);
    if (confirm(texts.upload)) await replaceBy(context, content);
  } catch {
    alert(`${file.name}: ${texts.file}`);
  }
}

function download(context) {
  const content = JSON.stringify(withoutWidgets(context.model.toJSON()), null, 1);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "application/x-ipynb+json" }));
  link.download = path.split("/").pop();
  link.click();
  setTimeout(URL.revokeObjectURL, 60_000, link.href);
}

async function start() {
  for (const other of bars) if (other !== bar) other.remove();
  document.documentElement.lang = bar.lang;
  bar.id = "course-bar";
  bar.hidden = false;
  const here = bar.querySelector(`[data-name="${name}"]`);
  if (here) here.hidden = false;
  here?.querySelector(`[href$="${path}"]`)?.remove();
  if (here) for (const link of bar.querySelectorAll("[data-to]")) link.href = `?path=${link.dataset.to}${own}`;
  const text = document.createElement("iframe");
  const page = `${folder === "exercises" ? "exercises_" : ""}${name}.html`;
  Object.assign(text, { title: texts.text, src: `../../${texts.folder}read/${page}` });
  text.style.setProperty("--top", `${bar.offsetHeight}px`);
  if (here && ["notebooks", "exercises"].includes(folder)) bar.after(text); // to be read until the notebook can be run
  await alone();
  const context = await opened();
  while (!document.querySelector(".jp-Notebook .jp-Cell")) await later(100);
  await later(SETTLING);
  text.remove();
  work.hidden = false;
  window.dispatchEvent(new Event("resize")); // the bar may have another line
  work.querySelector("[data-do=reset]").hidden = !here; // a notebook of the reader's has no original
  keepSaving(window.jupyterapp, context);
  work.addEventListener("change", ({ target }) => upload(context, target.files));
  work.addEventListener("click", async ({ target }) => {
    if (target.dataset.do === "reset" && confirm(texts.reset)) await replaceBy(context);
    if (target.dataset.do !== "download") return;
    await context.save();
    download(context);
  });
  status.textContent = texts.python;
  await context.sessionContext.ready;
  await context.sessionContext.session?.kernel?.info;
  status.textContent = "";
}

start();
