// The keys that belong to the notebook even while a widget has the focus: they run a cell, or save.

const isOfNotebook = ({ key, shiftKey, ctrlKey, metaKey, altKey }) =>
  key === "Enter" ? shiftKey || ctrlKey || metaKey || altKey : key === "s" && (ctrlKey || metaKey);

// Passes these keys from the widget in `el` to its cell: Shift+Enter presses no button and plays no move.
export function passKeysOn(el, signal) {
  const keydown = (event) => {
    const cell = el.closest(".jp-Cell");
    if (!cell || !isOfNotebook(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") cell.focus({ preventScroll: true });
    cell.dispatchEvent(new KeyboardEvent(event.type, event));
  };
  el.addEventListener("keydown", keydown, { capture: true, signal });
}
