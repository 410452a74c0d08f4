// For test_accessible.py, beside the script of axe.
window.accessible = {
    violations: async ([where, rules]) => (await axe.run(where, rules ? { runOnly: rules } : {})).violations.flatMap(
        rule => rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 150)}`)),
    focus: query => [...document.querySelectorAll(query)].filter(part => part.checkVisibility()).map(part => {
        const look = () => {
            const style = getComputedStyle(part);
            const outline = style.outlineStyle === "none" ? "" : style.outline;
            return [outline, style.boxShadow, style.borderColor, style.backgroundColor].join();
        };
        part.blur();
        const before = look();
        part.focus({ preventScroll: true, focusVisible: true });
        return [document.activeElement === part && look() !== before, part.outerHTML.slice(0, 150)];
    }),
    drawn: ([query, property]) => [...new Set([...document.querySelectorAll(query)].map(part => {
        const style = getComputedStyle(part), paper = part.closest("button, .main");
        return [style[property], style.opacity, getComputedStyle(paper).backgroundColor].join(";");
    }))],
};
