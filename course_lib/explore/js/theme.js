// The theme of a page without JupyterLab: that of the reader's system.

export function followTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => (document.body.dataset.jpThemeLight = String(!dark.matches));
  dark.addEventListener("change", follow);
  follow();
}
