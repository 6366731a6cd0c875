import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { AuditRecord } from '../../../../src/store/audit/auditLine.ts';
import { chainStart } from '../../../../src/store/audit/hmac/hmacLine.ts';
import { intent } from '../auditSamples.ts';
import { HmacBench, key, signedLine } from './hmacSamples.ts';

describe('store: verification of an audit log with HMACs', () => {
  let audit: HmacBench;
  beforeEach(() => {
    audit = new HmacBench();
  });
  afterEach(() => audit.clear());

  describe('one damaged file is reported with its place:', () => {
    beforeEach(() => void audit.writeFive());

    it('a changed value', async () => {
      audit.put(audit.linesOf().with(2, audit.linesOf()[2]?.replace('"complete"', '"stopped"') ?? ''));
      assert.deepEqual(await audit.breaks(), ['0:3 altered']);
    });
    it('a removed line', async () => {
      audit.put(audit.linesOf().toSpliced(2, 1));
      assert.deepEqual(await audit.breaks(), ['0:3 out-of-order']);
    });
    it('two swapped lines', async () => {
      const lines = audit.linesOf();
      audit.put(lines.with(2, lines[3] ?? '').with(3, lines[2] ?? ''));
      assert.deepEqual(await audit.breaks(), ['0:3 out-of-order']);
    });
    it('an inserted line', async () => {
      audit.put(audit.linesOf().toSpliced(3, 0, audit.linesOf()[1] ?? ''));
      assert.deepEqual(await audit.breaks(), ['0:4 out-of-order']);
      audit.put(audit.linesOf().with(3, '{"kind":"request-outcome"}'));
      assert.deepEqual(await audit.breaks(), ['0:4 not-a-record']);
    });
    it('a truncated file', async () => {
      audit.put(audit.linesOf().slice(0, 3));
      assert.deepEqual(await audit.breaks(), ['0:4 cut']);
    });
    it('a file truncated in the middle of a line', async () => {
      const whole = readFileSync(audit.path(), 'utf8');
      writeFileSync(audit.path(), whole.slice(0, -20));
      assert.deepEqual(await audit.breaks(), ['0:5 cut']);
    });
    /** Like an attacker with the key `by`, who makes each line follow from the previous one. */
    const signedAgain = (lines: readonly string[], change: object, by: Buffer): string[] => {
      let head = chainStart;
      return lines.map((line, index) => {
        const { mac: _, ...record } = JSON.parse(line);
        const signed = signedLine({ ...record, ...change, seq: index + 1, prev: head }, by);
        head = signed.mac;
        return signed.line;
      });
    };
    it('lines signed again with another key', async () => {
      audit.put(signedAgain(audit.linesOf(), { model: 'svc/other' }, Buffer.alloc(32, 8)));
      assert.deepEqual(await audit.breaks(), ['0:1 altered']);
    });
    it('a chain rebuilt with the key, shorter than its anchor', async () => {
      audit.put(signedAgain(audit.linesOf().toSpliced(1, 2), {}, key));
      assert.deepEqual(await audit.breaks(), ['0:4 cut']);
    });
    it('a chain rebuilt with the key, as long as its anchor', async () => {
      audit.put(signedAgain(audit.linesOf(), { model: 'svc/other' }, key));
      assert.deepEqual(await audit.breaks(), ['0:5 chain']);
    });
    it('one line signed again with the key', async () => {
      const { mac: _, ...record } = JSON.parse(audit.linesOf()[2] ?? '');
      audit.put(audit.linesOf().with(2, signedLine({ ...record, outcome: 'stopped' }, key).line));
      assert.deepEqual(await audit.breaks(), ['0:4 chain']);
    });
    it('a file under the name of another session', async () => {
      const other = '11111111-2222-4333-8444-555555555555';
      renameSync(audit.path(), audit.path().replace(/[0-9a-f-]{36}(?=-0001)/, other));
      const [session] = audit.anchors.keys();
      assert.deepEqual(await audit.breaks(), ['0:1 out-of-order', `${session}:0 missing`]);
    });
    it('a deleted file', async () => {
      rmSync(audit.path());
      assert.deepEqual(await audit.breaks(), [`${[...audit.anchors.keys()][0]}:0 missing`]);
    });
    it('any byte', async () => {
      const name = audit.path();
      const whole = readFileSync(name);
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
          const changed = Buffer.from(whole);
          changed[at] = (changed[at] ?? 0) ^ by;
          writeFileSync(name, changed);
          assert.equal((await audit.verify()).verdict, 'broken');
        }),
        { numRuns: 300 },
      );
    });
    it('an additional or a missing byte at any position', async () => {
      const name = audit.path();
      const whole = readFileSync(name);
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 1), fc.option(fc.nat(255)), async (at, byte) => {
          const put = byte === null ? [] : [byte];
          writeFileSync(
            name,
            Buffer.from([...whole.subarray(0, at), ...put, ...whole.subarray(byte === null ? at + 1 : at)]),
          );
          assert.equal((await audit.verify()).verdict, 'broken');
        }),
        { numRuns: 200 },
      );
    });
  });

  describe('a session of five files', () => {
    beforeEach(() => void audit.writeFiveFiles());

    it('names the first damage in each', async () => {
      assert.deepEqual([audit.files().length, await audit.breaks()], [5, []]);
      for (const index of [0, 2]) {
        audit.put(
          audit.linesOf(index).map((line) => line.replace('svc/auto', 'svc/other')),
          index,
        );
      }
      audit.put(audit.linesOf(4).slice(0, 1), 4);
      assert.deepEqual(await audit.breaks(), ['0:2 altered', '2:2 altered', '4:2 cut']);
    });
    it('names one that is deleted at the start or in the middle, and detects a deleted last one', async () => {
      const names = audit.files();
      for (const index of [4, 2, 0]) rmSync(audit.path(index));
      assert.deepEqual(await audit.breaks(names), ['0:0 missing', '2:0 missing', '3:3 cut']);
    });
    it('detects two swapped names, and a copy', async () => {
      const [first = '', second = ''] = audit.files().map((name) => join(audit.folder, name));
      renameSync(first, `${first}.aside`);
      renameSync(second, first);
      renameSync(`${first}.aside`, second);
      assert.equal((await audit.breaks())[0], '0:1 out-of-order');
      renameSync(first, `${first}.aside`);
      renameSync(second, first);
      renameSync(`${first}.aside`, second);
      assert.deepEqual(await audit.breaks(), []);
      copyFileSync(first, join(audit.folder, audit.files()[0]?.replace(/^\d{8}/, '20990101') ?? ''));
      assert.deepEqual(await audit.breaks(), ['5:1 out-of-order']);
    });
    it('accepts half a line from a crash only at the end', async () => {
      writeFileSync(audit.path(2), `${readFileSync(audit.path(2), 'utf8')}{"seq":7,"ti`);
      assert.deepEqual(await audit.breaks(), ['2:3 not-a-record']);
    });
  });

  it('half a line after the anchor, left by a crash, is not tampering', async () => {
    audit.writeFive();
    const name = audit.files()[0] ?? '';
    writeFileSync(join(audit.folder, name), `${readFileSync(join(audit.folder, name), 'utf8')}{"seq":6,"ti`);
    const verdict = await audit.verify();
    assert.deepEqual([verdict.verdict, verdict.halfLines], ['intact', [name]]);
  });

  it('a file that is ahead of its anchor verifies: the anchor is written later', async () => {
    const log = audit.writeFive();
    const anchored = audit.anchors.get(log.session);
    log.record(intent('c'));
    assert.ok(anchored);
    audit.anchors.set(log.session, anchored);
    assert.equal((await audit.verify()).verdict, 'intact');
  });

  it('compares bytes, not decoded text', async () => {
    const log = audit.begin();
    log.record(intent('a', 'a \uFFFD and é'));
    assert.deepEqual(await audit.breaks(), []);
    const bytes = readFileSync(audit.path());
    // F0 BF BD is an invalid sequence: UTF-8 decoders return U+FFFD, which is the signed text.
    bytes[bytes.indexOf(Buffer.from('\uFFFD'))] = 0xf0;
    writeFileSync(audit.path(), bytes);
    assert.deepEqual(await audit.breaks(), ['0:2 altered']);
  });

  it('a record of a kind from a later version is valid', async () => {
    const log = audit.writeFive();
    const later = { seq: 6, time: new Date().toISOString(), session: log.session, kind: 'from-later' };
    const prev = audit.anchors.get(log.session)?.head ?? chainStart;
    const signed = signedLine({ ...later, prev } as unknown as AuditRecord, key);
    audit.put([...audit.linesOf(), signed.line]);
    assert.deepEqual(await audit.breaks(), []);
  });

  it('one damaged session does not affect the others', async () => {
    audit.writeFive();
    audit.writeFive();
    audit.put(audit.linesOf(1).toSpliced(1, 1), 1);
    assert.deepEqual(await audit.breaks(), ['1:2 out-of-order']);
  });
});
