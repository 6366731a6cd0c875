import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parsePolicy } from '../../src/evidence/policy.ts';
import { makeReport, type Report } from '../../tools/report/machines.ts';
import { EvidenceLog } from '../tools/evidenceLog.ts';
import { withFolder } from '../unit/evidence/folders.ts';

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;
/** What is used of DuckDB. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<Connection>; closeSync(): void }>;
  };
}
interface Connection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): readonly Row[] }>;
  closeSync(): void;
}

const { DuckDBInstance } = createRequire(import.meta.url)('@duckdb/node-api') as DuckDb;

/** The questions of the file by the first words of their comments. */
const questions = Object.fromEntries(
  readFileSync('tools/report/queries.sql', 'utf8')
    .split(/\n\n(?=-- )/)
    .slice(1)
    .map((text) => [/^-- ([^,.:]*)/.exec(text)?.[1] ?? '', text]),
);
const preamble = readFileSync('tools/report/queries.sql', 'utf8').split(/\n\n(?=-- )/)[0] ?? '';

describe('queries.sql as DuckDB answers it', () => {
  let report: Report;
  const answers: Record<string, readonly Row[]> = {};

  before(async () => {
    const logs = ['one', 'two'].map(machine);
    const keys = logs.map(({ signer }) => `log ${signer.vkey}\n`).join('');
    // A collector stores lines in any order, and some twice.
    const files = logs.map((log, at) => {
      const lines = [...log.files().values()].flat();
      return [
        `machine ${at}/2026-11-02.log`,
        [...lines, ...lines.slice(0, 9).reverse(), 'not a line', '{"v":2}'],
      ] as const;
    });
    const whole = files.map(([name, lines]) => [name, lines.slice(0, -2)] as const);
    report = await withFolder(whole, (collected) =>
      makeReport({
        ...{ collected, policy: parsePolicy(Buffer.from(`${keys}quorum none\n`)), seen: [], silentDays: 7 },
        ...{ grace: 0, now: Date.parse('2026-11-03T08:00:00.000Z') },
      }),
    );
    await withFolder(files, async (collected) => {
      const database = await DuckDBInstance.create(':memory:');
      const connection = await database.connect();
      const place = join(collected, '*/*').replaceAll("'", "''");
      await connection.run(preamble.replace("'collected/*/*'", `'${place}'`));
      for (const [name, sql] of Object.entries(questions))
        answers[name] = (await connection.runAndReadAll(sql)).getRowObjectsJson();
      connection.closeSync();
      database.closeSync();
    });
  });

  it('finds the same records, days, models, outcomes, confirmations and tokens as the report', () => {
    assert.ok(report.machines.every(({ state }) => state === 'intact'));
    const kinds = answers['What was done'] ?? [];
    assert.equal(sum(kinds, 'records'), report.records);
    const intents = kinds.filter(({ kind }) => kind === 'request-intent');
    assert.deepEqual(countBy(intents, 'day', 'records'), report.figures.days);
    const requests = answers['Requests and tokens by model and outcome'] ?? [];
    const without = answers['Requests without an outcome'] ?? [];
    assert.equal(sum(requests, 'requests') + without.length, sum(intents, 'records'));
    assert.deepEqual(countBy(requests, 'outcome', 'requests'), report.figures.outcomes);
    const models = countBy(requests, 'model', 'requests');
    models['svc/auto'] = (models['svc/auto'] ?? 0) + without.length;
    assert.deepEqual(models, report.figures.models);
    assert.equal(
      sum(requests, 'tokens'),
      Object.values(report.figures.tokens).reduce((all, count) => all + count, 0),
    );
    const { confirmations } = report.figures;
    const doubtful = countBy(answers['What the service did not confirm'] ?? [], 'confirmation');
    assert.deepEqual(doubtful, {
      'not-confirmed': confirmations['not-confirmed'],
      contradicted: confirmations.contradicted,
    });
  });

  it('finds what was put into the log', () => {
    assert.deepEqual(Object.keys(questions).length, 7);
    const refused = countBy(answers['Requests that were refused before anything was sent'] ?? [], 'reason', 'requests');
    assert.deepEqual(refused, { excluded: 40, declined: 4 });
    assert.deepEqual(refused, report.figures.refusals);
    assert.deepEqual(answers['Requests without an outcome']?.length, 4);
    assert.deepEqual(
      answers['Secrets that were sent unmasked']?.map(({ day, secrets, requests }) => [
        day,
        Number(secrets),
        Number(requests),
      ]),
      [['2026-11-02', 16, 8]],
    );
    assert.deepEqual(
      answers['Accepted code by language']?.map(({ language, edits, added, removed }) => [
        language,
        ...[edits, added, removed].map(Number),
      ]),
      [
        ['typescript', 8, 28, 4],
        ['go', 4, 4, 0],
      ],
    );
  });
});

/** A log with requests of all kinds, over two days. */
function machine(name: string): EvidenceLog {
  const log = new EvidenceLog(`queries ${name}`, { time: Date.parse('2026-11-01T23:59:30.000Z') }).open();
  for (const session of [log.session(), log.session()]) {
    const ask = (number: number, model: string, unmasked = 0) => {
      const place = { request: `${session.id} ${number}`, action: 'chat', model };
      session.put({ kind: 'request-intent', ...place, files: 1, bytes: 9, maskings: 0, unmasked });
    };
    const answer = (number: number, fields: object) =>
      session.put({ kind: 'request-outcome', request: `${session.id} ${number}`, durationMs: number, ...fields });
    for (let number = 0; number < 30; number += 1) {
      ask(number, number % 3 === 0 ? 'svc/code' : 'svc/auto');
      answer(number, { outcome: 'complete', status: 200, totalTokens: number, confirmation: 'confirmed' });
    }
    ask(30, 'svc/\u00e4rger', 3);
    answer(30, { outcome: 'failed', status: 403, confirmation: 'not-confirmed' });
    ask(31, 'svc/auto', 1);
    answer(31, { outcome: 'complete', status: 200, confirmation: 'contradicted', totalTokens: 7 });
    // A window that was stopped.
    ask(32, 'svc/auto');
    for (const [language, added, removed] of [
      ['typescript', 5, 1],
      ['typescript', 2, 0],
      ['go', 1, 0],
    ] as const)
      session.put({ kind: 'code-accepted', request: `${session.id} 31`, language, added, removed });
    session.put({ kind: 'refused', reason: 'excluded', action: 'inlineCompletions', count: 1 });
    session.put({ kind: 'refused', reason: 'excluded', action: 'inlineCompletions', count: 9 });
    session.put({ kind: 'refused', reason: 'declined', action: 'chat', asked: ['secrets'], count: 1 });
    session.head();
    log.sign();
  }
  return log;
}

function sum(rows: readonly Row[], column: string): number {
  return rows.reduce((all, row) => all + Number(row[column] ?? 0), 0);
}

/** The sums of a column by the values of another; without a column, the numbers of rows. */
function countBy(rows: readonly Row[], name: string, column?: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows)
    counts[String(row[name])] = (counts[String(row[name])] ?? 0) + (column === undefined ? 1 : Number(row[column]));
  return counts;
}
