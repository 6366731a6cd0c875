import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { verifyEvidence } from '../../../src/evidence/verify/verify.ts';
import { codeOf, type ServiceError } from '../../../src/util/errors.ts';
import { intent, outcome } from './auditSamples.ts';
import { type Collector, DeliveryBench, recordsIn, reply } from './deliveryBench.ts';

/** Its code, or the status of an answer. */
const nameOf = (error: ServiceError | undefined): string => (error && (codeOf(error) ?? String(error.status))) ?? '';

describe('store: the delivery of the audit log', () => {
  let bench: DeliveryBench;
  let collector: Collector;
  beforeEach(async () => {
    bench = new DeliveryBench();
    collector = await bench.collector();
  });
  afterEach(() => bench.clear());

  const verify = (paths = [bench.collected(collector)]) => verifyEvidence({ paths, isCollected: true, grace: 0 });
  const sorted = (lines: readonly string[]): string[] => [...lines].sort();

  it('sends each line of sessions and ledgers exactly as it is on the disk, once, with its kind', async () => {
    const log = await bench.audit.writeFive();
    const window = bench.window(log);
    assert.equal(await window.drain(), 'done');
    assert.deepEqual(sorted(collector.lines), sorted(bench.onDisk()));
    assert.deepEqual([await window.drain(), await window.backlog(), collector.bodies.length], ['done', 0, 1]);
    for (const { eventName, body } of collector.records) {
      assert.equal(eventName, `svc.${JSON.parse(body.stringValue).kind}`);
    }
    const { verdict, breaks, records } = await verify();
    assert.deepEqual([verdict, breaks, records], ['intact', [], 5]);
  });

  it('says of each record which one it is, and what a dashboard wants to know', async () => {
    const log = await bench.audit.writeFive();
    await bench.window(log).drain();
    const attributes = (kind: string) => {
      const record = collector.records.find(({ eventName }) => eventName === kind);
      return Object.fromEntries((record?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));
    };
    const asked = attributes('svc.request-intent');
    assert.deepEqual([asked['gen_ai.request.model'], asked['svc.seq']], ['svc/auto', '2']);
    assert.equal(asked['svc.session'], log.written?.session);
    assert.match(String(attributes('svc.opened')['svc.ledger']), /^svc-coder\//);
    const uids = collector.records.map(({ attributes: [first] }) => first?.value.stringValue);
    assert.equal(new Set(uids).size, collector.records.length);
  });

  it('sends the headers of the policy, and no key of the service', async () => {
    bench.policy = { url: collector.url, headers: { Authorization: 'Bearer for-logs', 'X-Tenant': 'dev' } };
    await bench.audit.writeFive();
    await bench.window().drain();
    const { headers, url, method } = collector.requests[0] ?? assert.fail();
    assert.deepEqual([method, url, headers['content-type']], ['POST', '/v1/logs', 'application/json']);
    assert.deepEqual([headers.authorization, headers['x-tenant']], ['Bearer for-logs', 'dev']);
    assert.doesNotMatch(JSON.stringify(headers), /svc_ent/);
  });

  it('continues where it stopped, in another window too', async () => {
    const log = await bench.audit.writeFive();
    await bench.window(log).drain();
    const before = collector.records.length;
    await log.record(intent('c'));
    await log.sign();
    await bench.window(log).drain();
    assert.deepEqual(sorted(collector.lines), sorted(bench.onDisk()));
    assert.equal(
      collector.records.slice(before).filter(({ eventName }) => eventName === 'svc.request-intent').length,
      1,
    );
  });

  it('has batches of a limited size, and makes them smaller for a collector that refuses them', async () => {
    const log = bench.audit.begin();
    for (let index = 0; index < 60; index += 1) await log.record(intent(`request-${index}`));
    await log.sign();
    collector.answer = (response, body) => reply(response, body.length > 20_000 ? 413 : 200, '{}');
    assert.equal(await bench.window(log, { maxBatchBytes: 65_536 }).drain(), 'done');
    const bytes = collector.bodies.map((body) =>
      recordsIn(body).reduce((sum, { body: { stringValue } }) => sum + stringValue.length, 0),
    );
    assert.deepEqual([Math.max(...bytes) <= 65_536, bytes.length > 3], [true, true]);
    assert.deepEqual(sorted(collector.lines), sorted(bench.onDisk()));
  });

  it('does not send lines that may not be on the disk yet', async () => {
    const log = await bench.audit.writeFive();
    const [, , third = ''] = bench.audit.linesOf();
    appendFileSync(bench.audit.path(), `${third.replace('"seq":3', '"seq":6')}\n`);
    const window = bench.window(log);
    await window.drain();
    assert.equal(
      collector.lines.some((line) => line.includes('"seq":6,') && line.includes('session":')),
      false,
    );
    assert.ok((await window.backlog()) > 0);
  });

  it('passes over half a line, and what is not ours', async () => {
    const log = await bench.audit.writeFive();
    await log.close();
    const expected = sorted(bench.onDisk());
    appendFileSync(bench.audit.path(), '{"v":2,"session"');
    const old = join(bench.audit.folder, '20250101T000000Z-00000000-0000-4000-8000-000000000000-0001.jsonl');
    writeFileSync(old, '{"seq":1,"content":"secret"}\nsecret\n');
    writeFileSync(old.replace('0001.jsonl', '0002.jsonl'), 'x'.repeat(600_000));
    const window = bench.window();
    assert.equal(await window.drain(), 'done');
    assert.deepEqual([sorted(collector.lines), await window.backlog()], [expected, 0]);
  });

  it('sends a ledger again that was cut and has grown again', async () => {
    const log = await bench.audit.writeFive();
    await bench.window(log).drain();
    const path = bench.audit.ledgerPath();
    const text = readFileSync(path, 'latin1');
    truncateSync(path, text.lastIndexOf('\n', text.length - 2) + 1);
    await log.record(intent('c'));
    await log.record(outcome('c'));
    await log.sign();
    await bench.window(log).drain();
    for (const line of bench.onDisk()) assert.ok(collector.lines.includes(line), line);
  });

  describe('when it fails', () => {
    it('tries again after 429, 502, 503, 504 and a broken connection, and names each once', async () => {
      const log = await bench.audit.writeFive();
      const answers = ['503', '503', '429', 'reset', '502', '504', '503'];
      collector.answer = (response) => {
        const next = answers.shift();
        if (next === 'reset') response.socket?.destroy();
        else reply(response, Number(next ?? 200), '{}');
      };
      const window = bench.window(log);
      window.wake();
      await bench.until(() => collector.records.length > 0);
      assert.deepEqual(sorted(collector.lines), sorted(bench.onDisk()));
      const named = bench.logged.map((words) => /delivered: (\S+)\./.exec(words)?.[1]);
      assert.deepEqual(named.slice(0, 2), ['503', '429']);
      assert.deepEqual(named.slice(3), ['502', '504', '503']);
      assert.equal(window.status?.failure, undefined);
    });

    it('loses nothing in a day without a collector, and tries 5 minutes apart at most', async () => {
      const log = await bench.audit.writeFive();
      let now = Date.now();
      const end = now + 86_400_000;
      const window = bench.window(log, { now: () => now, times: { baseMs: 1_000, maxMs: 300_000 } });
      collector.answer = (response) => reply(response, 503);
      for (let hour = 1; now < end; hour += 1) {
        assert.equal(await window.drain(), 'failed');
        await log.record(intent(`hour-${hour}`));
        now += 3_600_000;
      }
      await log.sign();
      assert.equal(bench.logged.length, 1);
      collector.answer = (response) => reply(response, 200, '{}');
      assert.equal(await window.drain(), 'done');
      assert.deepEqual(sorted(collector.lines), sorted(bench.onDisk()));
      const { verdict, records } = await verify();
      assert.deepEqual([verdict, records], ['intact', 5 + 24]);
    });

    it('waits as long as the collector asks', async () => {
      await bench.audit.writeFive();
      let now = 1_000_000;
      const window = bench.window(null, { now: () => now, times: { baseMs: 10, maxMs: 100_000 } });
      collector.answer = (response) => reply(response, 429, '', { 'Retry-After': '50' });
      assert.equal(await window.drain(), 'failed');
      await assert.rejects(window.requireAll(), { code: 'not-delivered' });
      assert.equal(collector.bodies.length, 1);
      now += 51_000;
      collector.answer = (response) => reply(response, 200, '{}');
      await window.requireAll();
      assert.equal(collector.bodies.length, 2);
    });

    const answers: Readonly<Record<string, [RegExp, (response: Parameters<Collector['answer']>[0]) => void]>> = {
      'a redirect': [/^redirect$/, (response) => reply(response, 307, '', { Location: 'http://127.0.0.1:1/v1/logs' })],
      'a wrong token': [/^401$/, (response) => reply(response, 401, '{"code":"Bearer for-logs","message":"for-logs"}')],
      'a page of a gateway': [/^malformed$/, (response) => reply(response, 200, '<html>for-logs</html>')],
      'another JSON': [/^malformed$/, (response) => reply(response, 200, '[]')],
      'a huge answer': [/^too-long$/, (response) => reply(response, 200, ' '.repeat(11_000_000))],
      'an answer that is cut': [
        /^(UND_ERR_SOCKET|ECONNRESET|HPE_INVALID_EOF_STATE)$/,
        (response) => {
          response.writeHead(200, { 'Content-Length': '100' });
          response.write('{');
          setImmediate(() => response.socket?.end());
        },
      ],
      'an answer that never ends': [/^check$/, (response) => void response.writeHead(200).write('{')],
    };
    for (const [name, [why, answer]] of Object.entries(answers)) {
      it(`takes ${name} for no delivery, and names it`, async () => {
        const log = await bench.audit.writeFive();
        bench.policy = { url: collector.url, headers: { Authorization: 'Bearer for-logs' } };
        collector.answer = answer;
        // Only one of them is about the limit, which a busy machine also reaches.
        const window = bench.window(log, { limits: { checkMs: name === 'an answer that never ends' ? 300 : 30_000 } });
        assert.equal(await window.drain(), 'failed');
        assert.match(nameOf(window.status?.failure), why);
        assert.ok((await window.backlog()) > 0);
        assert.doesNotMatch(bench.logged.join(), /for-logs/);
        collector.answer = (response) => reply(response, 200, '{}');
        const before = collector.bodies.length;
        await bench.until(() => collector.bodies.length > before);
        await window.drain();
        for (const line of bench.onDisk()) assert.ok(collector.lines.includes(line));
      });
    }

    it('takes an empty answer, and shows how many records were rejected', async () => {
      const log = await bench.audit.writeFive();
      collector.answer = (response) => reply(response, 204);
      const window = bench.window(log);
      assert.equal(await window.drain(), 'done');
      await log.record(intent('c'));
      collector.answer = (response) =>
        reply(response, 200, '{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"no"}}');
      assert.equal(await window.drain(), 'done');
      assert.deepEqual([window.status?.rejected, await window.backlog()], [2, 0]);
    });

    it('continues when its state cannot be written or read, and sends again', async () => {
      const log = await bench.audit.writeFive();
      writeFileSync(bench.stateFolder, 'no folder');
      const window = bench.window(log);
      assert.equal(await window.drain(), 'failed');
      assert.match(nameOf(window.status?.failure), /^E[A-Z]+$/);
      rmSync(bench.stateFolder);
      assert.equal(await window.drain(), 'done');
      const [state = ''] = readdirSync(bench.stateFolder);
      for (const text of ['', '{', '{"v":1,"holder":null,"files":{"a":[-1,0,""]}}', '[]']) {
        writeFileSync(join(bench.stateFolder, state), text);
        const before = collector.lines.length;
        assert.equal(await window.drain(), 'done');
        assert.equal(collector.lines.length - before, bench.onDisk().length);
      }
      assert.deepEqual((await verify()).breaks, []);
    });
  });

  describe('in two windows', () => {
    it('sends each line once', async () => {
      const log = await bench.audit.writeFive();
      const windows = [bench.window(log), bench.window(log), bench.window(log)];
      await Promise.all(windows.map((window) => window.drain()));
      assert.deepEqual(sorted(collector.lines), sorted(bench.onDisk()));
    });

    it('delivers by itself after the lease of a window that hangs has ended', async () => {
      const log = await bench.audit.writeFive();
      let now = Date.now();
      const hung = bench.window(log, { send: () => new Promise(() => undefined), now: () => now });
      void hung.drain();
      const window = bench.window(log, { now: () => now });
      const isHeld = () =>
        existsSync(bench.stateFolder) && readdirSync(bench.stateFolder).some((name) => name.endsWith('.json'));
      while (!isHeld()) await new Promise(setImmediate);
      assert.equal(await window.drain(), 'busy');
      now += 61_000;
      assert.equal(await window.drain(), 'done');
    });
  });

  describe('where it is required', () => {
    it('lets a request pass until too much waits, and delivers first what it can', async () => {
      const log = await bench.audit.writeFive();
      const window = bench.window(log);
      await window.require();
      assert.equal(collector.bodies.length, 0);
      bench.policy = { url: collector.url, backlogBytes: 1 };
      await window.require();
      assert.equal(await window.backlog(), 0);
      collector.answer = (response) => reply(response, 503);
      await log.record(intent('c'));
      const size = statSync(bench.audit.path()).size;
      await assert.rejects(window.require(), ({ kind, code, details, host }) => {
        assert.deepEqual([kind, code, host], ['gate', 'not-delivered', new URL(collector.url).host]);
        assert.deepEqual([details.size.limit, details.failure.status], [1, 503]);
        assert.ok(details.size.bytes > 1 && details.size.bytes < size);
        return true;
      });
    });

    it('ends immediately when the user stops the request', async () => {
      const log = await bench.audit.writeFive();
      bench.policy = { url: collector.url, backlogBytes: 1 };
      const stop = new AbortController();
      collector.answer = () => stop.abort();
      await assert.rejects(bench.window(log).require(stop.signal), { kind: 'aborted' });
    });

    it('is nothing to wait for without a collector', async () => {
      const log = await bench.audit.writeFive();
      bench.policy = undefined;
      const window = bench.window(log);
      window.wake();
      await window.requireAll();
      assert.deepEqual([await window.drain(), window.status, existsSync(bench.stateFolder)], ['off', null, false]);
    });
  });

  it('delivers everything to another collector, and continues with the one before', async () => {
    const log = await bench.audit.writeFive();
    const window = bench.window(log);
    await window.drain();
    const second = await bench.collector();
    await window.drain();
    assert.deepEqual(sorted(second.lines), sorted(bench.onDisk()));
    bench.policy = { url: collector.url };
    await window.drain();
    assert.equal(collector.lines.length, bench.onDisk().length);
  });

  it('delivers at the end of a window, and gives up in time', async () => {
    const log = await bench.audit.writeFive();
    const window = bench.window(log);
    await log.close();
    await window.finish();
    assert.deepEqual(sorted(collector.lines), sorted(bench.onDisk()));
    const more = await bench.audit.writeFive();
    collector.answer = () => undefined;
    await bench.window(more).finish(50);
    assert.equal(collector.lines.length < bench.onDisk().length, true);
  });
});
