import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyEvidence } from '../../../src/evidence/verify/verify.ts';
import { intent } from './auditSamples.ts';
import { type Collector, DeliveryBench, reply } from './deliveryBench.ts';

describe('store: the delivery of the audit log by several processes', () => {
  let bench: DeliveryBench;
  let collector: Collector;
  beforeEach(async () => {
    bench = new DeliveryBench();
    collector = await bench.collector();
  });
  afterEach(() => bench.clear());

  const verify = (paths = [bench.collected(collector)]) => verifyEvidence({ paths, isCollected: true, grace: 0 });
  const sorted = (lines: readonly string[]): string[] => [...lines].sort();

  it('leaves the session of another running window to it, and takes it when the window was killed', async () => {
    const child = fork(join(import.meta.dirname, 'auditWorker.ts'), [
      bench.audit.folder,
      join(bench.audit.root, 'secrets'),
      'hang',
      'w',
    ]);
    await once(child, 'message');
    const window = bench.window();
    await window.drain();
    assert.ok(collector.lines.length > 0);
    assert.ok(collector.lines.every((line) => line.startsWith('{"v":2,"ledger"')));
    child.kill('SIGKILL');
    await once(child, 'exit');
    await window.drain();
    assert.deepEqual(sorted(collector.lines), sorted(bench.onDisk()));
  });

  it('loses nothing when one is killed anywhere, and what comes twice is recognized', async () => {
    for (let round = 0; round < 2; round += 1) {
      const child = fork(join(import.meta.dirname, 'deliveryWorker.ts'), [bench.audit.root, collector.url]);
      const wanted = collector.bodies.length + 2 + round;
      await new Promise<void>((resolve) => {
        collector.answer = (response) => {
          if (collector.bodies.length >= wanted) {
            child.kill('SIGKILL');
            resolve();
          }
          reply(response, 200, '{}');
        };
      });
      await once(child, 'exit');
    }
    const log = bench.audit.begin();
    await log.record(intent('after'));
    await log.sign();
    collector.answer = (response) => reply(response, 200, '{}');
    assert.equal(await bench.window(log).drain(), 'done');
    assert.deepEqual(sorted([...new Set(collector.lines)]), sorted(bench.onDisk()));
    const { verdict, breaks } = await verify();
    assert.deepEqual([verdict, breaks], ['intact', []]);
    const session = log.written?.session;
    const lost = collector.lines.filter((line) => !line.includes(`"session":"${session}","seq":1,`));
    const path = bench.collected({ lines: lost });
    assert.deepEqual(
      (await verify([path])).breaks.map(({ reason }) => reason),
      ['gap'],
    );
  });

  it('keeps old sessions until they are delivered', async () => {
    const worker = join(import.meta.dirname, 'auditWorker.ts');
    const child = fork(worker, [bench.audit.folder, join(bench.audit.root, 'secrets'), 'send', 'w']);
    await once(child, 'exit');
    const window = bench.window();
    const later = new Date(Date.now() + 40 * 86_400_000);
    const begin = async () => {
      const mayRemove = (names: readonly string[]) => window.isDelivered(names);
      const log = bench.audit.begin({ now: () => later, keepDays: () => 30, mayRemove });
      await log.record(intent('now'));
      await log.sign();
      return log;
    };
    const name = bench.audit.files()[0] ?? '';
    await begin();
    assert.ok(bench.audit.files().includes(name));
    await window.drain();
    await begin();
    assert.ok(!bench.audit.files().includes(name));
    await window.drain();
    const [state = ''] = readdirSync(bench.stateFolder);
    assert.ok(!readFileSync(join(bench.stateFolder, state), 'utf8').includes(name));
  });
});
