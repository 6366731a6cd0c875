// Runs in the extension host. Activates the extensions that SVC_BENCH_ORDER names through the API of VS Code, and
// writes the cost to the file that SVC_BENCH_RESULTS names.
const { writeFileSync } = require('node:fs');
const { Session } = require('node:inspector/promises');
const { Socket } = require('node:net');
const { setTimeout: pause } = require('node:timers/promises');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const vscode = require('vscode');

const watched = 'svc.svc-coder';
/**
 * The idle times of the host: before the first reading, for everything else that starts with it, and to check that it
 * idles.
 */
const settleMs = 3000;
const idleMs = 3000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

exports.run = async () => {
  const timers = watchTimers();
  const sockets = watchSockets();
  await pause(settleMs);
  const measured = {};
  for (const id of (process.env.SVC_BENCH_ORDER ?? '').split(',')) {
    const extension = vscode.extensions.getExtension(id);
    if (extension === undefined || extension.isActive) throw new Error(`${id} is not there, or active already`);
    const before = memory();
    const from = performance.now();
    await extension.activate();
    const ms = performance.now() - from;
    const after = memory();
    measured[id] = { ms, heapBytes: after.heap - before.heap, rssBytes: after.rss - before.rss };
  }
  // The deferred work of the activation (reading the administrator's policy) is done by then.
  await pause(settleMs);
  const idle = await samplesOfOurs();
  const results = { measured, timers: timers(), sockets: sockets(), samples: idle };
  writeFileSync(process.env.SVC_BENCH_RESULTS ?? '', JSON.stringify(results));
};

function memory() {
  for (let time = 0; time < 3; time++) collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

/** Counts the timers that our code created and that are still active. */
function watchTimers() {
  const running = new Set();
  for (const [make, end, isOnce] of [
    ['setTimeout', 'clearTimeout', true],
    ['setInterval', 'clearInterval', false],
  ]) {
    const [makes, ends] = [globalThis[make], globalThis[end]];
    globalThis[make] = (callback, ...rest) => {
      const isOurs = String(new Error().stack).includes(watched);
      const timer = makes(
        (...args) => {
          if (isOnce) running.delete(timer);
          callback(...args);
        },
        ...rest,
      );
      if (isOurs) running.add(timer);
      return timer;
    };
    globalThis[end] = (timer) => {
      running.delete(timer);
      ends(timer);
    };
  }
  return () => running.size;
}

/** Counts the connections that our code opened. */
function watchSockets() {
  let count = 0;
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (...args) {
    if (String(new Error().stack).includes(watched)) count += 1;
    return connect.apply(this, args);
  };
  return () => count;
}

/** The number of profiler samples in our code while the host is idle. */
async function samplesOfOurs() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  await pause(idleMs);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const ours = profile.nodes.filter(({ callFrame }) => callFrame.url.includes(watched));
  return ours.reduce((sum, { hitCount = 0 }) => sum + hitCount, 0);
}
