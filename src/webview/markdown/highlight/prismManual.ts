// Read by prism-core while it loads, so this has to be a module before it.
Object.assign(globalThis, { Prism: { manual: true, disableWorkerMessageHandler: true } });
