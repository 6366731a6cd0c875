import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { auditFileName, listAuditFiles, readAuditFile } from '../../../src/store/audit/auditFiles.ts';
import { type AuditRecord, SessionChain, safeParseRecord } from '../../../src/store/audit/auditLine.ts';
import { eachLine } from '../../../src/store/audit/fileLines.ts';
import { LogTail } from '../../../src/store/audit/logTail.ts';
import { withClockOfLooks } from '../../tools/clock.ts';
import { AuditBench, intent, outcome } from './auditSamples.ts';

/** What was taken of each file. */
class Taken {
  readonly files = new Map<string, (AuditRecord | null)[]>();
  readonly dropped: string[] = [];
  count = 0;

  take(file: string, record: AuditRecord | null): void {
    this.count += 1;
    this.files.set(file, [...(this.files.get(file) ?? []), record]);
  }

  drop(file: string): void {
    this.dropped.push(file);
    this.files.delete(file);
  }

  done(): void {}

  /** The ids of the requests, and `bad` for a bad line. */
  words(): string[] {
    return [...this.files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, records]) =>
        records.flatMap((one) => (one === null ? ['bad'] : one.kind === 'request-intent' ? [one.request] : [])),
      );
  }
}

interface Reads {
  readonly tail: LogTail;
  readonly taken: Taken;
  /** Each file that was opened, and from which offset. */
  readonly opened: { readonly name: string; readonly from: number }[];
}

function follow(folder: string, onLine: (name: string) => void = () => undefined, since = 0): Reads {
  const taken = new Taken();
  const opened: { name: string; from: number }[] = [];
  const readLines: typeof eachLine = (path, take, range = {}) => {
    opened.push({ name: basename(path), from: range.from ?? 0 });
    const taking: typeof take = (line, end) => {
      onLine(basename(path));
      return take(line, end);
    };
    return eachLine(path, taking, range);
  };
  const tail = new LogTail(folder, taken, readLines, since);
  return { tail, taken, opened };
}

/** Everything that is in the folder, read in one step. */
async function everything(folder: string): Promise<Map<string, (AuditRecord | null)[]>> {
  const files = new Map<string, (AuditRecord | null)[]>();
  for (const { name } of await listAuditFiles(folder)) {
    const { lines } = await readAuditFile(folder, name);
    if (lines.length > 0) files.set(name, lines.map(safeParseRecord));
  }
  return files;
}

const sorted = <T>(files: ReadonlyMap<string, T>): [string, T][] => [...files].sort(([a], [b]) => (a < b ? -1 : 1));

describe('store: following the audit log', () => {
  let audit: AuditBench;
  beforeEach(() => {
    audit = new AuditBench();
  });
  afterEach(() => audit.clear());

  it('opens a finished file once, and a file that has grown only for its last line and what follows', async () => {
    const log = audit.begin({ maxFileBytes: 500 });
    for (const request of ['a', 'b', 'c']) await log.record(intent(request));
    const { tail, taken, opened } = follow(audit.folder);
    await tail.read();
    assert.deepEqual(opened.map(({ name }) => name).sort(), audit.files());
    assert.deepEqual(taken.words(), ['a', 'b', 'c']);
    opened.length = 0;
    for (let times = 0; times < 3; times += 1) await tail.read();
    assert.deepEqual(opened, []);
    const [first = '', second = ''] = audit.linesOf(2);
    appendFileSync(audit.path(2), `${JSON.stringify({ ...JSON.parse(second), request: 'd' })}\n`);
    await tail.read();
    assert.deepEqual(opened, [{ name: audit.files()[2], from: first.length + 1 }]);
    assert.deepEqual([taken.words(), taken.dropped], [['a', 'b', 'c', 'd'], []]);
  });

  it('reads the newest files first', async () => {
    const log = audit.begin({ maxFileBytes: 500 });
    for (const request of ['a', 'b', 'c']) await log.record(intent(request));
    for (const [index, name] of audit.files().entries()) utimesSync(join(audit.folder, name), 1_000, 1_000 + index);
    const { tail, opened } = follow(audit.folder);
    await tail.read();
    assert.deepEqual(
      opened.map(({ name }) => name),
      audit.files().reverse(),
    );
  });

  it('opens no file that was last changed before a time, and each whose own time was set to an earlier one', async () => {
    const log = audit.begin({ maxFileBytes: 500 });
    for (const request of ['a', 'b']) await log.record(intent(request));
    for (const name of audit.files()) utimesSync(join(audit.folder, name), 1_000, 1_000);
    const later = follow(audit.folder, undefined, Date.now() + 60_000);
    for (let times = 0; times < 2; times += 1) await later.tail.read();
    assert.deepEqual(later.opened, []);
    const earlier = follow(audit.folder, undefined, Date.now() - 60_000);
    await earlier.tail.read();
    assert.deepEqual(earlier.taken.words(), ['a', 'b']);
  });

  it('takes a line when its end is written, and what a second window writes', async () => {
    await audit.begin().record(intent('a'));
    const { tail, taken } = follow(audit.folder);
    await tail.read();
    const line = audit.linesOf().at(-1)?.replace('"a"', '"b"') ?? '';
    appendFileSync(audit.path(), line.slice(0, 40));
    await tail.read();
    assert.deepEqual(taken.words(), ['a']);
    appendFileSync(audit.path(), `${line.slice(40)}\n`);
    await tail.read();
    assert.deepEqual(taken.words(), ['a', 'b']);
    await audit.begin().record(intent('c'));
    await tail.read();
    assert.deepEqual([taken.words().sort(), taken.dropped], [['a', 'b', 'c'], []]);
  });

  for (const [title, change, expected] of [
    ['is cut', (path: string) => truncateSync(path, readFileSync(path).lastIndexOf('\n', -2) + 1), ['a']],
    ['is removed', (path: string) => rmSync(path), []],
    [
      'is replaced by another one that is longer',
      (path: string) => {
        writeFileSync(`${path}.new`, readFileSync(path, 'utf8').replace('"a"', '"other"'));
        renameSync(`${path}.new`, path);
      },
      ['other', 'b'],
    ],
    [
      'is changed in the middle, with the same size',
      (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replace('"a"', '"x"')),
      ['x', 'b'],
    ],
    [
      'has another last line, and more after it',
      (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replace('"b"', '"y"').concat('{}\n')),
      ['a', 'y', 'bad'],
    ],
    [
      'becomes a link',
      (path: string) => {
        renameSync(path, `${path}.moved`);
        symlinkSync(`${path}.moved`, path);
      },
      [],
    ],
    ['becomes too large', (path: string) => truncateSync(path, 64 * 1024 * 1024 + 1), ['bad']],
  ] as const) {
    it(`forgets what it took of a file that ${title}`, async () => {
      const log = audit.begin();
      for (const request of ['a', 'b']) await log.record(intent(request));
      const path = audit.path();
      const { tail, taken } = follow(audit.folder);
      await tail.read();
      change(path);
      if (existsSync(path)) utimesSync(path, 5, 5);
      await tail.read();
      assert.deepEqual([taken.words(), taken.dropped], [expected, [basename(path)]]);
      const { count } = taken;
      await tail.read();
      assert.equal(taken.count, count);
    });
  }

  it('reads a file again whose last line is no record: the same text can be in the same place of another one', async () => {
    await audit.begin().record(intent('a'));
    writeFileSync(audit.path(), 'no record\n\n');
    const { tail, taken } = follow(audit.folder);
    await tail.read();
    assert.deepEqual(taken.words(), ['bad', 'bad']);
    writeFileSync(audit.path(), 'nno record\n\n');
    await tail.read();
    assert.deepEqual([taken.words(), taken.dropped], [['bad', 'bad'], audit.files()]);
  });

  it('a file that is too large counts once while it grows, and is read when it is not any more', async () => {
    await audit.begin().record(intent('a'));
    const { size } = statSync(audit.path());
    const { tail, taken } = follow(audit.folder);
    for (const bytes of [1, 2, 3]) {
      truncateSync(audit.path(), 64 * 1024 * 1024 + bytes);
      await tail.read();
      assert.deepEqual(taken.words(), ['bad']);
    }
    truncateSync(audit.path(), size);
    await tail.read();
    assert.deepEqual(taken.words(), ['a']);
  });

  it('a folder that does not exist has nothing, and one that is removed loses everything', async () => {
    const { tail, taken } = follow(audit.folder);
    await tail.read();
    await audit.begin().record(intent('a'));
    await tail.read();
    assert.deepEqual(taken.words(), ['a']);
    rmSync(audit.folder, { recursive: true });
    await tail.read();
    assert.deepEqual(taken.words(), []);
  });

  it('continues after an error, and takes nothing twice', async () => {
    const log = audit.begin();
    for (const request of ['a', 'b', 'c']) await log.record(intent(request));
    const taken = new Taken();
    let hasFailed = false;
    const tail = new LogTail(audit.folder, taken, (path, take, range) =>
      eachLine(
        path,
        (line, end) => {
          if (line.includes('"b"') && !hasFailed) {
            hasFailed = true;
            throw Object.assign(new Error('broken'), { code: 'EIO' });
          }
          return take(line, end);
        },
        range,
      ),
    );
    await assert.rejects(tail.read(), { code: 'EIO' });
    assert.deepEqual(taken.words(), ['a']);
    await tail.read();
    assert.deepEqual([taken.words(), taken.dropped], [['a', 'b', 'c'], []]);
  });

  /** One file with many short lines. */
  function writeShortLines(count: number): void {
    mkdirSync(audit.folder);
    const name = auditFileName('20260301T000000Z', randomUUID(), 1);
    writeFileSync(join(audit.folder, name), 'x\n'.repeat(count));
  }

  it('lets the event loop turn between the lines of a slice, also of broken ones', async () => {
    writeShortLines(2_000);
    const { tail, taken } = follow(audit.folder);
    let isOver = false;
    let turns = 0;
    let most = 0;
    let before = 0;
    const turn = (): void => {
      turns += 1;
      most = Math.max(most, taken.count - before);
      before = taken.count;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await withClockOfLooks(() => tail.read());
    isOver = true;
    assert.equal(taken.count, 2_000);
    assert.ok(most <= 20, `${most} lines in one turn`);
    assert.ok(turns >= 100, `${turns} turns`);
  });

  it('stops when it is told to, and the next call takes the rest', async () => {
    mkdirSync(audit.folder);
    const chain = new SessionChain(randomUUID());
    const lines = Array.from(
      { length: 2_000 },
      (_, at) => `${chain.add(intent(`r${at}`), new Date(at).toISOString())}\n`,
    );
    writeFileSync(join(audit.folder, auditFileName('20260301T000000Z', chain.session, 1)), lines.join(''));
    const { tail, taken, opened } = follow(audit.folder);
    const stopping = new AbortController();
    const watch = (): void => {
      if (taken.count > 0) stopping.abort();
      else setImmediate(watch);
    };
    setImmediate(watch);
    await withClockOfLooks(() => tail.read(stopping.signal));
    const { count } = taken;
    assert.ok(count > 0 && count < 2_000, `${count} lines`);
    await tail.read();
    assert.equal(taken.count, 2_000);
    assert.deepEqual(
      opened.map(({ from }) => from),
      [0, lines.slice(0, count - 1).join('').length],
    );
    await tail.read(AbortSignal.abort());
  });

  it('has what is in the folder after any changes, also those during a read', async function () {
    this.timeout(120_000);
    const step = fc.record({
      what: fc.constantFrom('record', 'window', 'half', 'garbage', 'cut', 'remove', 'replace', 'spoil', 'read'),
      /** The file, and after how many lines of a read it happens; 0: before it. */
      file: fc.nat(5),
      at: fc.nat(12),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const folder = join(audit.root, randomUUID());
        mkdirSync(folder);
        const chains = new Map<string, SessionChain>();
        let made = 0;
        const begin = (): string => {
          made += 1;
          const chain = new SessionChain(randomUUID());
          const name = auditFileName(`20260301T0000${String(made).padStart(2, '0')}Z`, chain.session, 1);
          chains.set(name, chain);
          return name;
        };
        const run = ({ what, file }: { readonly what: string; readonly file: number }): void => {
          const names = [...chains.keys()];
          const name = what === 'window' || names.length === 0 ? begin() : (names[file % names.length] ?? '');
          const path = join(folder, name);
          made += 1;
          const time = new Date(1_767_225_600_000 + made * 1_000).toISOString();
          const line = (): string =>
            `${chains.get(name)?.add(made % 2 === 0 ? intent(`r${made}`) : outcome(`r${made}`), time)}\n`;
          const content = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
          if (what === 'record' || what === 'window') appendFileSync(path, line());
          if (what === 'half') appendFileSync(path, line().slice(0, 50));
          if (what === 'garbage') appendFileSync(path, 'no record\n\n');
          if (what === 'cut' && content.length > 0) truncateSync(path, Math.floor(content.length / 2));
          if (what === 'remove') rmSync(path, { force: true });
          if (what === 'replace') {
            writeFileSync(`${path}.new`, Buffer.concat([Buffer.from(line()), content]));
            renameSync(`${path}.new`, path);
          }
          if (what === 'spoil' && content.length > 0) {
            content[content.length - 10] = 0x21;
            writeFileSync(path, content);
          }
          // Changes within the resolution of the clock of the file system look alike.
          if (existsSync(path)) utimesSync(path, made, made);
        };
        let later: (typeof steps)[number][] = [];
        let lines = 0;
        const { tail, taken } = follow(folder, () => {
          lines += 1;
          const due = later.filter(({ at }) => at === lines);
          later = later.filter(({ at }) => at !== lines);
          for (const one of due) run(one);
        });
        for (const one of steps) {
          if (one.what === 'read') {
            lines = 0;
            await tail.read();
            for (const missed of later) run(missed);
            later = [];
          } else if (one.at === 0) run(one);
          else later.push(one);
        }
        for (const missed of later) run(missed);
        later = [];
        await tail.read();
        assert.deepEqual(sorted(taken.files), sorted(await everything(folder)));
        const { count } = taken;
        await tail.read();
        assert.equal(taken.count, count);
        rmSync(folder, { recursive: true });
      }),
      { numRuns: 150 },
    );
  });
});
