(() => {
    // anywidget complains where a script has not loaded in 2 s: on a busy machine, or as its widget was closed before.
    const { timeout } = AbortSignal;
    AbortSignal.timeout = limit => timeout.call(AbortSignal, 100 * limit);
    const { createObjectURL, revokeObjectURL } = URL, loading = new Set();   // anywidget makes a widget's script a URL
    URL.createObjectURL = thing => {
        const url = createObjectURL.call(URL, thing);
        if (thing.type === "text/javascript") loading.add(url);
        return url;
    };
    URL.revokeObjectURL = url => { loading.delete(url); revokeObjectURL.call(URL, url); };
    window.loadingWidgets = () => loading.size > 0;
})()
