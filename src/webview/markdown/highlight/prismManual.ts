// prism-core reads this while it loads, so it must be a module before it.
Object.assign(globalThis, { Prism: { manual: true, disableWorkerMessageHandler: true } });
