// For tests/operate.py: tells of errors in the kernel on the console, and operates widgets in the page.
(() => {
    // `settle` waits until the kernel has done what widgets told it (it does so beside its cells), and the page has loaded
    // what came of it. (Of a widget that is closed before it has loaded, anywidget says on the console, 2 s later, that it
    // could not be initialized.) A message that was sent before the page heard that the kernel had closed the widget is no
    // error: the two have crossed.
    const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session, unanswered = new Set();
    const closed = new Set(), late = new Set();   // comms that the kernel has closed; what was sent to one after that
    kernel.anyMessage.connect((_, { msg, direction }) => {
        if (direction !== "send" || msg.header.msg_type !== "comm_msg") return;
        unanswered.add(msg.header.msg_id);
        if (closed.has(msg.content.comm_id)) late.add(msg.header.msg_id);
    });
    const hasCrossed = ({ text }, { msg_id }) => /^(No such comm: .*)?\s*$/.test(text) && !late.has(msg_id);
    kernel.iopubMessage.connect((_, { header, content, parent_header }) => {   // in the order in which it is handled
        if (header.msg_type === "comm_close") closed.add(content.comm_id);
        if (content.execution_state === "idle") unanswered.delete(parent_header.msg_id);
        if (header.msg_type === "error") console.error(`in the kernel: ${content.ename}: ${content.evalue}`);
        if (content.name !== "stderr" || hasCrossed(content, parent_header)) return;
        console.error(`in the kernel: ${content.text}`);
    });
    window.until = async happened => {
        const late = Date.now() + 120_000;
        do await new Promise(awake => setTimeout(awake, 5));
        while (!happened() && Date.now() < late);
        if (!happened()) throw new Error(`never: ${happened}`);
    };
    window.settle = () => window.until(() => unanswered.size === 0 && !window.loadingWidgets());
    window.operate = {
        click: async parts => { for (const part of parts) { part.click(); await window.settle(); } },
        choose: async lists => {
            for (const list of lists) {
                for (const index of [...[...list.options].keys(), list.selectedIndex]) {
                    list.selectedIndex = index;
                    list.dispatchEvent(new Event("change", { bubbles: true }));
                }
                await window.settle();
            }
        },
        check: async question => {
            const verdicts = [], check = question.querySelector("button");
            for (const option of question.querySelectorAll("input")) {
                option.click();
                await window.until(() => check.ariaDisabled === "false");
                check.click();
                await window.until(() => check.ariaDisabled === "true");
                verdicts.push(question.querySelector('[role="status"]').textContent);
            }
            return verdicts;
        },
        press: (parts, keys) => {
            for (const part of parts) for (const key of keys)
                part.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
            return window.settle();
        },
        slide: ranges => {
            for (const range of ranges) { range.stepUp(); range.dispatchEvent(new Event("input")); }
            return window.settle();
        },
    };
})()
