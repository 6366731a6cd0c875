import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditAsJsonl, readAuditLog } from '../../../src/store/audit/auditExport.ts';
import { auditFileName, ledgerFileName, stampOf } from '../../../src/store/audit/auditFiles.ts';
import { maxFileBytes } from '../../../src/store/audit/auditRead.ts';
import { bundleEntries } from '../../../src/store/audit/bundle/bundle.ts';
import { eachLine } from '../../../src/store/audit/fileLines.ts';
import { AuditBench, intent } from './auditSamples.ts';

const session = '11111111-2222-4333-8444-555555555555';

/** Whoever reads one of these waits for ever, or until the memory is full. */
const never = {
  'a link to a device': (path: string) => symlinkSync('/dev/zero', path),
  'a pipe': (path: string) => void execFileSync('mkfifo', [path]),
};

describe('store: what others put into the folder of the audit log', () => {
  let audit: AuditBench;
  beforeEach(() => {
    audit = new AuditBench();
    mkdirSync(audit.folder);
  });
  afterEach(() => audit.clear());

  const names: readonly string[] = [
    auditFileName(stampOf(new Date()), session, 1),
    ledgerFileName(`svc-coder/${'0'.repeat(32)}`),
  ];
  const kinds: Readonly<Record<string, (path: string) => void>> = {
    'a link to a file': (path) => {
      writeFileSync(join(audit.root, 'target'), 'not ours\n');
      symlinkSync(join(audit.root, 'target'), path);
    },
    ...(process.platform === 'win32' ? {} : never),
  };
  const put = (kind: string, name: string): void => kinds[kind]?.(join(audit.folder, name));

  /** The names and the bytes of the bundle. */
  const bundled = async (log: ReturnType<AuditBench['begin']>): Promise<ReadonlyMap<string, string>> => {
    const end = (await log.sign('export')) ?? assert.fail();
    const parts = { folder: audit.folder, end, present: null, verifier: async () => Buffer.alloc(0), now: new Date() };
    const entries = new Map<string, string>();
    for await (const { name, bytes } of bundleEntries(parts)) entries.set(name, Buffer.from(bytes).toString());
    assert.ok((await log.bundle(async () => Buffer.alloc(0))).content.length > 0);
    return entries;
  };

  for (const kind of Object.keys(kinds)) {
    it(`${kind} is not read, and Verify names it`, async () => {
      for (const name of names) put(kind, name);
      const log = audit.begin();
      await log.record(intent('a'));
      const { verdict, skipped } = await log.verify();
      assert.deepEqual([verdict, [...skipped].sort()], ['intact', [...names].sort()]);
      assert.deepEqual(audit.failed, []);
      const { records, badLines } = await readAuditLog(audit.folder);
      assert.deepEqual([records.length, badLines], [2, 0]);
      assert.ok(!(await auditAsJsonl(audit.folder)).content.includes('not ours'));
      const entries = await bundled(log);
      assert.ok(![...entries].some(([name, text]) => names.includes(name.slice(6)) || text.includes('not ours')));
    });

    it(`${kind} that has the name of a lock does not hold it`, async () => {
      for (const name of ['key.lock', 'ledger.lock']) put(kind, name);
      const log = audit.begin();
      await log.record(intent('a'));
      assert.notEqual(await log.sign(), null);
      assert.deepEqual(audit.failed, []);
    });

    it(`${kind} in the place of a ledger is a ledger that was put back`, async () => {
      const log = audit.begin();
      await log.record(intent('a'));
      const { origin = '' } = (await log.sign()) ?? {};
      unlinkSync(audit.ledgerPath());
      put(kind, ledgerFileName(origin));
      await log.record(intent('b'));
      assert.notEqual((await log.sign())?.origin, origin);
      assert.deepEqual(audit.rolledBack, [origin]);
    });
  }

  it('files that are too large are not read, and nothing fails because of them', async () => {
    mkdirSync(audit.folder, { recursive: true });
    const [first = ''] = names;
    for (const name of [first, first.replace('-0001.', '-0002.')]) {
      writeFileSync(join(audit.folder, name), '{"v":2');
      truncateSync(join(audit.folder, name), maxFileBytes + 1);
    }
    const log = audit.begin({ keepDays: () => 0 });
    await log.record(intent('a'));
    assert.notEqual(await log.sign(), null);
    assert.deepEqual(audit.failed, []);
    const { records, badLines } = await readAuditLog(audit.folder);
    assert.deepEqual([records.length, badLines], [2, 2]);
    assert.equal((await auditAsJsonl(audit.folder)).content.split('\n').length, 3);
    assert.equal((await log.verify()).verdict, 'broken');
    assert.equal(await log.purge(false), 3);
  });

  it('a name with a number that is too long is none of ours', async () => {
    const log = audit.begin();
    await log.record(intent('a'));
    const name = auditFileName(stampOf(new Date()), session, 1).replace('0001', `${'0'.repeat(60)}1`);
    copyFileSync(audit.path(), join(audit.folder, name));
    const { skipped } = await log.verify();
    assert.deepEqual(skipped, [name]);
    assert.ok(!(await bundled(log)).has(`audit/${name}`));
  });

  it('more than a window could have left at the end of a ledger: nothing is signed with its key again', async () => {
    const log = audit.begin();
    await log.record(intent('a'));
    const { origin } = (await log.sign()) ?? {};
    const line = `${'x'.repeat(100_000)}\n`;
    for (let index = 0; index < 200; index += 1) appendFileSync(audit.ledgerPath(), line);
    await log.record(intent('b'));
    assert.notEqual((await log.sign())?.origin, origin);
    assert.deepEqual(audit.rolledBack, [origin]);
  });

  it('a line that is too long is one line, and those after it are read', async () => {
    const path = join(audit.folder, 'lines');
    writeFileSync(path, `first\n${'x'.repeat(1_000_000)}\nlast\nrest`);
    const lines: [string, number][] = [];
    const size = await eachLine(path, (line, end) => lines.push([line.toString(), end]) > 0);
    assert.deepEqual(
      [size, lines],
      [
        1_000_016,
        [
          ...[
            ['first', 6],
            ['', 1_000_007],
            ['last', 1_000_012],
          ],
        ],
      ],
    );
  });
});
