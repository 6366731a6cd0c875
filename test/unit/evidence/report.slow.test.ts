import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePolicy } from '../../../src/evidence/policy.ts';
import { makeReport, type Report, type ReportOptions } from '../../../tools/report/machines.ts';
import { pageOf } from '../../../tools/report/page.ts';
import { EvidenceLog, sampleLog } from '../../tools/evidenceLog.ts';
import { type FolderFiles, withFolder, writeFiles } from './folders.ts';

const now = Date.parse('2026-11-03T08:00:00.000Z');
const linesOf = (log: EvidenceLog): readonly string[] => [...log.files().values()].flat();
const policyOf = (...logs: readonly EvidenceLog[]) =>
  parsePolicy(Buffer.from(`${logs.map(({ signer }) => `log ${signer.vkey}\n`).join('')}quorum none\n`));
const report = (files: FolderFiles, options: Partial<ReportOptions> = {}): Promise<Report> =>
  withFolder(files, (collected) =>
    makeReport({ collected, policy: null, seen: [], silentDays: 7, grace: 900_000, now, ...options }),
  );
const statesOf = ({ machines }: Report) =>
  Object.fromEntries(machines.map(({ names, state }) => [names.join('+'), state]));

describe('the report on many machines', () => {
  it('names the state of each, and counts only records that an enrolled key signed', async () => {
    const logs = ['fine', 'changed', 'lost', 'quiet', 'new'].map((name) =>
      sampleLog(name, { sessions: 2, records: 10 }),
    );
    const [fine, changed, lost, quiet, other] = logs as [
      EvidenceLog,
      EvidenceLog,
      EvidenceLog,
      EvidenceLog,
      EvidenceLog,
    ];
    const files: [string, readonly string[]][] = [
      ['fine/svc.log', linesOf(fine)],
      ['changed/svc.log', linesOf(changed).map((line) => line.replace('"status":200', '"status":500'))],
      ['lost/a.log', linesOf(lost).filter((_, index) => index !== 4)],
      ['new/a.log', linesOf(other)],
      ['empty/a.log', []],
      ['a file.txt', ['x']],
    ];
    const policy = policyOf(fine, changed, lost, quiet);
    const found = await report(files, { policy });
    const expected = {
      changed: 'changed',
      empty: 'silent',
      fine: 'intact',
      lost: 'incomplete',
      new: 'not-enrolled',
    };
    assert.deepEqual(statesOf(found), expected);
    assert.deepEqual([found.unheard, found.newKeys], [[quiet.origin], [`log ${other.signer.vkey}`]]);
    assert.deepEqual(
      [found.records, found.figures.days, found.figures.models, found.figures.headers],
      [22, { '2026-11-02': 10 }, { 'svc/auto': 10 }, { 'Svc-Security-Level: maximum': 10 }],
    );
    const later = await report([['fine/a', linesOf(fine)]], { policy, now: now + 8 * 86_400_000 });
    assert.deepEqual(statesOf(later), { fine: 'silent' });
    const early = Date.parse('2026-11-02T08:01:00.000Z');
    const last = fine.sessions[1]?.lines.at(-1);
    const late = await report([['fine/a', linesOf(fine).filter((line) => line !== last)]], { policy, now: early });
    assert.deepEqual(statesOf(late), { fine: 'late' });
  });

  it('counts a request for each header that it had, and names those without any', async () => {
    const log = new EvidenceLog('headers').open();
    const session = log.session();
    const intents: readonly unknown[] = [
      [
        { name: 'Svc-Security-Level', value: 'high' },
        { name: 'Svc-Zero-Retention', value: 'true' },
      ],
      [{ name: 'Svc-Zero-Retention', value: 'true' }],
      [],
      undefined,
      [null, { name: '<b>', value: { __proto__: 1 } }],
    ];
    for (const headers of intents) session.put({ kind: 'request-intent', headers });
    session.head('end');
    log.sign();
    const found = await report([['a/x', linesOf(log)]], { policy: policyOf(log) });
    assert.deepEqual(found.figures.headers, {
      '<b>: unknown': 1,
      'Svc-Security-Level: high': 1,
      'Svc-Zero-Retention: true': 2,
      none: 2,
      'unknown: unknown': 1,
    });
  });

  it('counts refused requests by reason, with their repeats; a count that is none is 1', async () => {
    const log = new EvidenceLog('refused').open();
    const session = log.session();
    for (const count of [1, 40, 'many', 0.5, 1e308]) session.put({ kind: 'refused', reason: 'excluded', count });
    session.put({ kind: 'refused', reason: 7, count: 2 });
    session.head('end');
    log.sign();
    const found = await report([['a/x', linesOf(log)]], { policy: policyOf(log) });
    assert.deepEqual(found.figures.refusals, { excluded: 44, unknown: 2 });
    assert.deepEqual(found.figures.days, {});
  });

  it('counts requests by user, where records name one', async () => {
    const log = new EvidenceLog('users').open();
    const session = log.session();
    for (const user of ['jdoe', 'jdoe', '<b>', 7, '__proto__']) session.put({ kind: 'request-intent', user });
    session.put({ kind: 'request-intent' });
    session.put({ kind: 'request-outcome', user: 'jdoe' });
    session.head('end');
    log.sign();
    const found = await report([['a/x', linesOf(log)]], { policy: policyOf(log) });
    assert.deepEqual(found.figures.users, { '<b>': 1, jdoe: 2, unknown: 2 });
    assert.match(pageOf(found), /Requests by user[\s\S]*&lt;b&gt;/);
  });

  it('counts a line that came twice once', async () => {
    const log = sampleLog('twice', { sessions: 1, records: 4 });
    const found = await report([['a/x', [...linesOf(log), ...linesOf(log)]]], { policy: policyOf(log) });
    assert.deepEqual([found.records, found.figures.days], [5, { '2026-11-02': 2 }]);
  });

  it('counts no line that is not signed: anybody can have added it', async () => {
    const log = sampleLog('unsigned', { sessions: 1, records: 4 });
    log.sessions[0]?.record(2);
    const found = await report([['a/x', linesOf(log)]], { policy: policyOf(log) });
    assert.deepEqual(statesOf(found), { a: 'intact' });
    assert.deepEqual(
      [found.records, found.figures.days, found.figures.models],
      [...[5, { '2026-11-02': 2 }, { 'svc/auto': 2 }]],
    );
  });

  it('finds a machine that was copied with its key, which only both folders show', async () => {
    const log = sampleLog('clone', { sessions: 1, records: 12 });
    const clone = sampleLog('clone', { sessions: 1, records: 12, every: 5 });
    const alone = sampleLog('alone');
    const policy = policyOf(log, alone);
    const found = await report(
      [
        ['a/x', linesOf(log)],
        ['b/x', linesOf(alone)],
        ['c/x', linesOf(clone)],
      ],
      { policy },
    );
    assert.deepEqual(statesOf(found), { 'a+c': 'forked', b: 'intact' });
    assert.ok(found.machines[0]?.verdict.breaks.every(({ file }) => /^[ac]\/x$/.test(file)));
  });

  it('keeps machines apart of which one has a line of the other that nobody signed', async () => {
    const [one, other] = [sampleLog('one'), sampleLog('other')];
    const found = await report(
      [
        ['a/x', [...linesOf(one), other.lines[0] ?? '']],
        ['b/x', linesOf(other)],
      ],
      { policy: policyOf(one, other) },
    );
    assert.deepEqual(statesOf(found), { a: 'not-enrolled', b: 'intact' });
  });

  it('says which machine could not be read, and continues with the others', async () => {
    const log = sampleLog('readable');
    const folder = mkdtempSync(join(tmpdir(), 'svc-report-'));
    try {
      writeFiles(folder, [
        ['a/x', linesOf(log)],
        ['b/x', linesOf(log)],
      ]);
      // Its name is no text, so it cannot be opened by the name that is listed.
      writeFileSync(Buffer.concat([Buffer.from(join(folder, 'b/')), Buffer.of(0xff)]), 'x');
      const options = { policy: policyOf(log), seen: [], silentDays: 7, grace: 0, now };
      const found = await makeReport({ collected: folder, ...options });
      assert.deepEqual(statesOf(found), { a: 'intact', b: 'unreadable' });
      assert.equal(found.records, 63);
      assert.match(found.machines[1]?.fault ?? '', /ENOENT/);
      assert.match(pageOf(found), /<h1>1 of 2 machines needs attention<.*ENOENT/s);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('is a page without a script, in which names are text', async () => {
    const log = new EvidenceLog('page', { prefix: "a'<b>&c" }).open();
    const session = log.session();
    session.record(3);
    session.head();
    log.sign();
    const evil = '<img src=x onerror=alert(1)>\u202e';
    const found = await report([[`${evil}/x`, [...linesOf(log), '<script>']]]);
    const page = pageOf(found);
    assert.doesNotMatch(page, /<img|<script|<b>|\u202e|onerror=[^a]/);
    assert.ok(page.includes('&lt;img src=x onerror=alert(1)&gt;\ufffd'));
    assert.ok(page.includes("default-src 'none'"));
    assert.ok(
      page.includes(
        `log ${log.signer.vkey}`
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;')
          .replaceAll("'", '&#39;'),
      ),
    );
  });

  it('shows the machines that need attention before the charts, the worst first, and the others last', async () => {
    const [fine, changed, other] = ['fine', 'changed', 'other'].map((name) => sampleLog(name)) as [
      EvidenceLog,
      EvidenceLog,
      EvidenceLog,
    ];
    const found = await report(
      [
        ['a fine/x', linesOf(fine)],
        ['b new/x', linesOf(other)],
        ['c changed/x', linesOf(changed).map((line) => line.replace('"status":200', '"status":500'))],
      ],
      { policy: policyOf(fine, changed) },
    );
    const page = pageOf(found);
    const order = [
      /<h1>2 of 3 machines need/,
      /<td>c changed/,
      /<td>b new/,
      /Requests by day/,
      /<h3>c ch/,
      /<td>a fine/,
    ];
    const places = order.map((pattern) => page.search(pattern));
    assert.ok(!places.includes(-1), places.join());
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    const quiet = await report([['a/x', linesOf(fine)]], { policy: policyOf(fine, changed) });
    assert.match(pageOf(quiet), /<h1>All machines are intact, but nothing has arrived from 1 enrolled log</);
    const well = await report([['a/x', linesOf(fine)]], { policy: policyOf(fine) });
    assert.match(pageOf(well), /<h1>All machines are intact<.*<details open>/s);
  });

  it('runs as a program, and writes the report beside its ledger', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-report-'));
    try {
      const log = sampleLog('program', { time: Date.now() - 3_600_000 });
      writeFiles(folder, [
        ['collected/one/x', linesOf(log)],
        ['policy.txt', `log ${log.signer.vkey}\nquorum none\n`],
      ]);
      const main = join(import.meta.dirname, '../../../tools/report/main.ts');
      const run = (...args: readonly string[]) =>
        spawnSync(process.execPath, [main, ...args], { cwd: folder, encoding: 'utf8' });
      const first = run('--trusted-keys', 'policy.txt', 'collected');
      assert.deepEqual([first.status, first.stderr], [0, '']);
      assert.match(first.stdout, /^intact: one\n/);
      assert.ok(
        first.stdout.includes(
          (JSON.parse(readFileSync(join(folder, 'audit-report/report.json'), 'utf8')) as { keep: string }).keep,
        ),
      );
      assert.equal(run('collected').status, 3);
      assert.equal(run().status, 2);
      assert.equal(run('nowhere').status, 2);
      assert.ok(run('--help').stdout.includes('--silent'));
      const lines = linesOf(log).map((line) => line.replace('"status":200', '"status":500'));
      writeFiles(folder, [['collected/one/x', lines]]);
      assert.equal(run('--trusted-keys', 'policy.txt', 'collected').status, 1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
