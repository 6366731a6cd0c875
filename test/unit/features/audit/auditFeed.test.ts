import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { AuditFeed } from '../../../../src/features/audit/vscode/auditFeed.ts';
import type { StampedEntry } from '../../../../src/features/audit/vscode/rows.ts';
import type { AuditData, AuditDataMessage } from '../../../../src/protocol/audit/auditMessages.ts';
import type { AuditPart } from '../../../../src/protocol/audit/auditPart.ts';
import { readAuditLog } from '../../../../src/store/audit/auditExport.ts';
import { eachLine } from '../../../../src/store/audit/fileLines.ts';
import { LogTail } from '../../../../src/store/audit/logTail.ts';
import { PageLog } from '../../../../src/webview/audit/pageLog.ts';
import { flagWords } from '../../../tools/headerInventory.ts';
import { AuditBench, intent, outcome } from '../../store/auditSamples.ts';

const words = {
  flags: flagWords,
  refusalRows: (records: readonly StampedEntry[]) =>
    records.map(({ time, kind }) => ({ at: Date.parse(time), action: 'chat' as const, reason: kind, count: 1 })),
  eventRows: (records: readonly StampedEntry[]) =>
    records.map(({ time, kind }) => ({ at: Date.parse(time), text: kind })),
};

const partOf = (bytes: Uint8Array): AuditPart => JSON.parse(new TextDecoder().decode(bytes));

/** A feed, and the page that gets its messages. */
class Watched {
  readonly messages: AuditDataMessage[] = [];
  opened = 0;
  #page = new PageLog();
  #shown: AuditData | undefined;
  /** Called before each message. */
  onPost: () => void = () => undefined;
  readonly feed: AuditFeed;

  constructor(folder: string) {
    this.feed = new AuditFeed({
      follow: (taker) =>
        new LogTail(folder, taker, (path, take, range) => {
          this.opened += 1;
          return eachLine(path, take, range);
        }),
      words,
      status: async () => ({ unsigned: `${this.messages.length}` }),
      post: (message) => {
        this.onPost();
        this.messages.push(message);
        if (message.isNew) this.#page = new PageLog();
        for (const part of message.parts) this.#page.add(partOf(part));
        this.#shown = this.#page.data(message.status);
      },
    });
  }

  /** What the page shows after an update. */
  async after(told: Promise<void>): Promise<AuditData> {
    await told;
    assert.equal(this.messages.at(-1)?.status.isWhole, true);
    return this.#shown ?? assert.fail('Nothing was sent.');
  }

  /** The sent rows since the last call. */
  sent(): number {
    const parts = this.messages.splice(0).flatMap((message) => message.parts.map(partOf));
    return parts.reduce((sum, { requests, outcomes }) => sum + requests.count + outcomes.count, 0);
  }
}

/** Of a log that is read in one step. */
async function expectedIn(folder: string): Promise<Pick<AuditData, 'rows' | 'events' | 'badLines'>> {
  const { records, badLines } = await readAuditLog(folder);
  const ended = new Map(records.flatMap((one) => (one.kind === 'request-outcome' ? [[one.request, one]] : [])));
  const rows = records.flatMap((record) => {
    if (record.kind !== 'request-intent') return [];
    const { kind: _, seq: __, session: ___, prev: ____, headers: _____, time, ...fields } = record;
    const row = { ...fields, at: Date.parse(time), posture: 'high', outcome: 'unknown', confirmation: 'none' } as const;
    const { kind, seq, session, prev, time: at, ...end } = ended.get(record.request) ?? ({} as never);
    return [{ ...row, ...end }];
  });
  const events = records.filter(({ kind }) => !kind.startsWith('request-'));
  return { rows, events: words.eventRows(events), badLines };
}

const of = ({ rows, events, badLines }: AuditData) => ({ rows, events, badLines });

describe('features/audit/vscode: what the page is sent', () => {
  let audit: AuditBench;
  let watched: Watched;
  /** Each time it is asked is a second later. */
  let now = Date.parse('2026-03-01T10:00:00.000Z');
  const tick = (): Date => {
    now += 1_000;
    return new Date(now);
  };
  beforeEach(() => {
    audit = new AuditBench();
    watched = new Watched(audit.folder);
  });
  afterEach(() => audit.clear());

  it('is the whole log, then only what was added, and all of it again for a new page without reading it', async () => {
    const log = audit.begin({ now: tick, maxFileBytes: 2_000 });
    for (let each = 0; each < 20; each += 1) {
      await log.record(intent(`r${each}`));
      if (each % 3 > 0) await log.record(outcome(`r${each}`));
    }
    assert.deepEqual(of(await watched.after(watched.feed.tell(true))), await expectedIn(audit.folder));
    assert.equal(watched.opened, audit.files().length);
    assert.equal(watched.sent(), 20 + 13);

    await log.record(outcome('r18'));
    await log.record(intent('next'));
    assert.deepEqual(of(await watched.after(watched.feed.tell())), await expectedIn(audit.folder));
    assert.equal(watched.sent(), 2);
    const { opened } = watched;
    await watched.feed.tell();
    assert.deepEqual([watched.sent(), watched.opened], [0, opened]);

    assert.deepEqual(of(await watched.after(watched.feed.tell(true))), await expectedIn(audit.folder));
    assert.deepEqual([watched.sent(), watched.opened], [20 + 13 + 2, opened]);
  });

  it('an outcome is joined with its request in another file, and records of another window are added', async () => {
    const first = audit.begin({ now: tick, maxFileBytes: 500 });
    await first.record(intent('a'));
    await watched.feed.tell(true);
    await first.record(outcome('a'));
    const second = audit.begin({ now: tick });
    await second.record({ ...intent('b') });
    await second.record({ kind: 'request-outcome', request: 'a', outcome: 'unknown', confirmation: 'none' });
    const { rows } = await watched.after(watched.feed.tell());
    assert.deepEqual(
      rows.map(({ request, outcome }) => [request, outcome]),
      [
        ['a', 'complete'],
        ['b', 'unknown'],
      ],
    );
  });

  it('bad lines are counted as before, and a file that is removed takes its rows along', async () => {
    const log = audit.begin({ now: tick, maxFileBytes: 500 });
    for (const request of ['a', 'b', 'c']) await log.record(intent(request));
    appendFileSync(audit.path(1), 'no record\n{"kind":"request-intent"}\nhalf');
    const data = await watched.after(watched.feed.tell(true));
    assert.deepEqual([of(data), data.badLines], [await expectedIn(audit.folder), 2]);
    rmSync(audit.path(1));
    watched.sent();
    const { opened } = watched;
    assert.deepEqual(of(await watched.after(watched.feed.tell())), await expectedIn(audit.folder));
    assert.deepEqual([watched.sent(), watched.opened], [2, opened]);
    await log.purge(true);
    assert.deepEqual((await watched.after(watched.feed.tell())).rows, []);
  });

  it('parts stay few in a file that grows line by line', async () => {
    const log = audit.begin({ now: tick });
    await log.record(intent('r0'));
    await watched.feed.tell(true);
    for (let each = 1; each < 30; each += 1) {
      await log.record(intent(`r${each}`));
      await watched.feed.tell();
    }
    watched.sent();
    const data = await watched.after(watched.feed.tell(true));
    assert.deepEqual(of(data), await expectedIn(audit.folder));
    assert.equal(watched.messages.flatMap(({ parts }) => parts).length, 1);
  });

  it('a long file is sent in parts of 1,000 records, of which the first comes before the last is read', async () => {
    const log = audit.begin({ now: tick });
    await log.record(intent('r'));
    const [started = '', line = ''] = audit.linesOf();
    const more = Array.from({ length: 2_500 }, (_, index) => line.replace('"r"', `"r${index}"`));
    audit.put([started, line, ...more]);
    assert.deepEqual(of(await watched.after(watched.feed.tell(true))), await expectedIn(audit.folder));
    const counts = watched.messages.flatMap(({ parts }) => parts.map((part) => partOf(part).requests.count));
    assert.deepEqual(counts, [999, 1_000, 502]);
    assert.deepEqual(
      watched.messages.map(({ isNew, status }) => [isNew, status.isWhole]),
      [
        [true, false],
        [false, false],
        [false, false],
        [false, false],
        [false, true],
      ],
    );
  });

  it('a page that is gone gets nothing more, and the next one everything', async () => {
    const log = audit.begin({ now: tick, maxFileBytes: 500 });
    for (const request of ['a', 'b', 'c', 'd']) await log.record(intent(request));
    watched.onPost = () => {
      if (watched.messages.length === 2) watched.feed.stop();
    };
    await watched.feed.tell(true);
    const { length } = watched.messages;
    assert.equal(
      watched.messages.some(({ status }) => status.isWhole),
      false,
    );
    watched.onPost = () => undefined;
    await Promise.resolve();
    assert.equal(watched.messages.length, length);
    assert.deepEqual(of(await watched.after(watched.feed.tell(true))), await expectedIn(audit.folder));
  });

  it('a page that is made again while the first is served gets everything once', async () => {
    const log = audit.begin({ now: tick, maxFileBytes: 500 });
    for (const request of ['a', 'b', 'c', 'd']) await log.record(intent(request));
    let again: Promise<void> | undefined;
    watched.onPost = () => {
      if (watched.messages.length === 2) again ??= watched.feed.tell(true);
    };
    await watched.feed.tell(true);
    const data = await watched.after(again ?? assert.fail());
    assert.deepEqual(of(data), await expectedIn(audit.folder));
    assert.equal(watched.messages.filter(({ status }) => status.isWhole).length, 1);
  });

  it('updates that are asked for at the same time follow each other', async () => {
    const log = audit.begin({ now: tick });
    await log.record(intent('a'));
    await Promise.all([watched.feed.tell(true), watched.feed.tell(), watched.feed.tell()]);
    assert.deepEqual(of(await watched.after(watched.feed.tell())), await expectedIn(audit.folder));
    assert.equal(watched.sent(), 1);
  });

  it('an error of reading is thrown, and the next update shows everything', async () => {
    const log = audit.begin({ now: tick, maxFileBytes: 500 });
    for (const request of ['a', 'b']) await log.record(intent(request));
    let isBroken = true;
    const feed = new AuditFeed({
      follow: (taker) =>
        new LogTail(audit.folder, taker, async (path, take, range) => {
          if (isBroken && path === audit.path(0)) throw Object.assign(new Error('broken'), { code: 'EIO' });
          return eachLine(path, take, range);
        }),
      words,
      status: async () => ({ unsigned: '' }),
      post: (message) => watched.messages.push(message),
    });
    await assert.rejects(feed.tell(true), { code: 'EIO' });
    isBroken = false;
    await feed.tell();
    assert.equal(watched.sent(), 2);
  });

  it('a record costs the page a hundred bytes or two', async () => {
    const log = audit.begin({ now: tick });
    await log.record(intent('00000000-0000-4000-8000-000000000000'));
    const [started = '', line = ''] = audit.linesOf();
    const more = Array.from({ length: 900 }, (_, index) =>
      line.replace('-000000000000"', `-${100_000_000_000 + index}"`),
    );
    audit.put([started, ...more]);
    await watched.feed.tell(true);
    const bytes = watched.messages.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.byteLength, 0);
    assert.ok(bytes < readFileSync(audit.path()).length / 4, `${bytes} bytes`);
  });
});
