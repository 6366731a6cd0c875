import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adoptedFile, adoptFiles } from '../../../../src/store/audit/hmac/adoption.ts';
import { HmacSecrets } from '../../../../src/store/audit/hmac/hmacSecrets.ts';
import { vector } from '../../evidence/vectors.ts';
import { AuditBench, intent, linesIn, MemorySecrets, slots } from '../auditSamples.ts';
import { HmacBench, key } from './hmacSamples.ts';

describe('store: adoption of files with HMACs', () => {
  let audit: AuditBench;
  let older: HmacBench;
  beforeEach(() => {
    audit = new AuditBench();
    older = new HmacBench(audit.folder);
  });
  afterEach(() => audit.clear());

  /** What the host has kept since then. */
  const keep = async (): Promise<void> => {
    await audit.secrets.set('svc.audit key', key.toString('hex'));
    for (const [session, { count, head }] of older.anchors) {
      await audit.secrets.set(`svc.audit anchor ${session}`, `${count} ${head}`);
    }
  };
  const adopted = () => audit.records().flatMap((record) => (record.kind === 'adopted' ? [record] : []));
  const start = async (): Promise<void> => {
    const log = audit.begin();
    await log.record(intent('new'));
    await log.close();
  };
  const rows = (): readonly string[] => linesIn(join(audit.folder, adoptedFile));

  it('makes the row, the record and the root of the vectors', async () => {
    const name = '20261030T090001Z-524d72af-5a9f-44f6-ad28-57234d8f7663-0001.jsonl';
    mkdirSync(audit.folder);
    writeFileSync(join(audit.folder, name), vector(`adopted/${name}`));
    const secrets = new MemorySecrets();
    await secrets.set('svc.audit key', key.toString('hex'));
    const record = await adoptFiles(audit.folder, new HmacSecrets(secrets), () => false);
    assert.equal(readFileSync(join(audit.folder, adoptedFile), 'utf8'), vector('adopted/adopted.txt'));
    assert.ok(
      vector('adopted/ledger-55311c8c456028e009a1ea9526484d21-0001.jsonl').includes(
        JSON.stringify(record).slice(1, -1),
      ),
    );
  });

  it('in the first turn of the new version, once: names, hashes, and what the HMACs said', async () => {
    older.writeFive();
    older.writeFiveFiles();
    await keep();
    const files = older.files();
    await start();
    assert.deepEqual(
      adopted().map(({ from, files, records, verdict }) => [from, files, records, verdict]),
      [[0, 6, 15, 'intact']],
    );
    const expected = files.map((name) => {
      const bytes = readFileSync(join(audit.folder, name));
      return `${name} ${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;
    });
    assert.deepEqual(rows(), expected);
    await start();
    assert.equal(adopted().length, 1);
    const { verdict, breaks, older: checked } = await audit.verify();
    assert.deepEqual([verdict, breaks, checked], ['intact', [], { files: 6, isChecked: true }]);
  });

  it('also of what a window of the old version still writes: a new file, and one that has grown', async () => {
    const log = older.writeFive();
    await keep();
    await start();
    log.record(intent('more'));
    older.writeFive();
    await keep();
    await start();
    assert.deepEqual(
      adopted().map(({ from, files, records, verdict }) => [from, files, records, verdict]),
      [
        [0, 1, 5, 'intact'],
        [1, 2, 11, 'intact'],
      ],
    );
    assert.equal(rows().length, 3);
    assert.deepEqual((await audit.verify()).breaks, []);
  });

  it('in the same session too, before everything is verified', async () => {
    const log = audit.begin();
    await log.record(intent('a'));
    await log.sign();
    older.writeFive();
    await keep();
    assert.deepEqual((await log.verify()).breaks, []);
    assert.equal(adopted().length, 1);
  });

  it('says that they were broken, if they were, or if the key is gone', async () => {
    older.writeFive();
    await keep();
    older.put(older.linesOf().with(2, older.linesOf()[2]?.replace('"complete"', '"stopped"') ?? ''));
    await start();
    assert.deepEqual(
      adopted().map(({ verdict }) => verdict),
      ['broken'],
    );
    assert.ok((await audit.breaks()).includes('0:3 altered'));
    await audit.secrets.delete('svc.audit key');
    older.writeFive();
    await start();
    assert.deepEqual(
      adopted().map(({ verdict }) => verdict),
      ['broken', 'broken'],
    );
  });

  it('signs no row that it did not write, and goes on after one that a killed window left', async () => {
    older.writeFive();
    await keep();
    await start();
    const [row = ''] = rows();
    older.writeFive();
    await keep();
    appendFileSync(join(audit.folder, adoptedFile), `${row.replace(/^\d{8}/, '20200101')}\nhalf a r`);
    await start();
    assert.deepEqual([rows().length, rows()[0], adopted().length], [2, row, 2]);
    assert.ok(!rows().some((each) => each.startsWith('20200101')));
    assert.deepEqual((await audit.verify()).breaks, []);
  });

  it('is done by the next start if a window could not sign what it had written', async () => {
    older.writeFive();
    await keep();
    const { set } = audit.secrets;
    audit.secrets.set = async (slot, value) => {
      if (slot === slots.ledger) throw new Error('locked');
      await set.call(audit.secrets, slot, value);
    };
    const [name] = older.files();
    const isBroken = async () => (await audit.verify()).breaks.some(({ file }) => file === name);
    await start();
    assert.deepEqual([rows().length, adopted().length, await isBroken()], [1, 0, true]);
    audit.secrets.set = set;
    await start();
    assert.deepEqual([rows().length, adopted().length, await isBroken()], [1, 1, false]);
  });

  it('is seen if a file changes afterwards, with its line while the key of the HMACs is there', async () => {
    older.writeFive();
    await keep();
    await start();
    older.put(older.linesOf().with(2, older.linesOf()[2]?.replace('"complete"', '"stopped!"') ?? ''));
    assert.deepEqual(await audit.breaks(), ['0:3 altered']);
    await audit.secrets.delete('svc.audit key');
    assert.deepEqual(await audit.breaks(), ['0:0 altered']);
    rmSync(older.path());
    assert.equal((await audit.verify()).breaks[0]?.reason, 'missing');
  });

  it('a file of this version is none of them, whatever its first line is made into', async () => {
    await start();
    audit.put(['{"seq":1}', ...audit.linesOf().slice(1)]);
    await start();
    assert.equal((await audit.verify()).verdict, 'broken');
    assert.deepEqual(adopted(), []);
  });
});
