import { timeOf } from '../../../src/features/audit/vscode/rows.ts';
import type { AuditData, AuditVerdictView } from '../../../src/protocol/audit/auditMessages.ts';
import { defaultFilter, type Filter, onlyRefused } from '../../../src/webview/audit/filter.ts';
import { madeUpRecords } from './records.ts';
import { pageData } from './sent.ts';

export interface PreviewState {
  readonly data: AuditData;
  readonly filter: Filter;
}

function dataOf(count: number, days: number, now: number, verdict?: AuditVerdictView): AuditData {
  const records = madeUpRecords(count, days, now);
  return {
    ...pageData(records),
    refusals: records.flatMap((record) =>
      record.kind === 'refused'
        ? [{ at: timeOf(record.time), action: record.action, reason: wordsOf(record), count: record.count }]
        : [],
    ),
    events: records
      .filter(({ kind }) => !kind.startsWith('request-') && kind !== 'refused')
      .map((record) => ({ at: timeOf(record.time), text: wordsOf(record) })),
    unsigned: 'Lines of this window that are not signed yet: 3. They are signed within 5 minutes.',
    ...(verdict === undefined ? {} : { verdict }),
  };
}

function wordsOf({ kind, seq, time, session, ...rest }: ReturnType<typeof madeUpRecords>[number]): string {
  return `${kind}: ${JSON.stringify(rest).replaceAll(/[{}"]/g, '')}`;
}

/** Names and values that would reorder their line if they were not isolated, and answers that reported nothing. */
function hostile(now: number): AuditData {
  const made = dataOf(4, 2, now);
  const names = [
    'svc/\u202enuf-rof',
    '\u05d0\u05d1\u05d2-7',
    'svc/\u2067x',
    'svc/a-very-long-name-without-a-place-to-break-it',
  ];
  return {
    ...made,
    rows: made.rows.map(({ durationMs: _, totalTokens: __, ...row }, index) => ({
      ...row,
      ...{
        model: names[index % names.length] ?? '',
        error: '\u202erorre',
        requestId: '\u202edi',
        origin: '\u202enigiro',
      },
      outcome: 'failed',
    })),
  };
}

/** The newest request is contradicted. */
function contradicted(now: number): AuditData {
  const made = dataOf(3, 1, now);
  return {
    ...made,
    rows: made.rows.map((row, index) => (index === 2 ? { ...row, confirmation: 'contradicted' } : row)),
  };
}

const proof = [
  'Proven: since it was signed, no line was changed, added or removed without the key of this machine.',
  'Signed with: the key of this machine, ledger svc-coder/59141f437a54051dce253afae946b5b4, 1,812 lines. Anyone who has this key can write a different log. Only a checkpoint that someone else kept shows that.',
  'Not proven: who used the machine, the exact times, what the service did, and requests of other programs.',
];

/** States of the page by name, created on demand. */
export const previewStates: Readonly<Record<string, (now: number) => PreviewState>> = {
  month: (now) => ({
    data: dataOf(900, 40, now, {
      isIntact: true,
      text: 'The audit log is intact. Records: 1,812, files: 12.',
      breaks: [],
      facts: proof,
      at: now - 60_000,
    }),
    filter: defaultFilter,
  }),
  today: (now) => ({
    data: dataOf(3, (now - new Date(now).setHours(0, 0, 0, 0)) / 86_400_000, now),
    filter: { ...defaultFilter, period: 'today' },
  }),
  broken: (now) => ({
    data: {
      ...dataOf(60, 7, now, {
        isIntact: false,
        text: 'The audit log was changed.',
        breaks: [
          '20261114T081502Z-4f1c9a77-1.jsonl, line 17: this line was changed, or signed with another key.',
          '20261119T093011Z-b2207de1-2.jsonl, line 3: earlier lines were removed, inserted or moved.',
          '1,204 more, named by verify.mjs in an export.',
        ],
        facts: [
          ...proof.slice(1, -1),
          '20261120T101500Z-0b7d3f42-9c55-4a76-8a3e-2f9d1c6a7e10-0001.jsonl was not read: it is a link, or no file of the log.',
          ...proof.slice(-1),
        ],
        at: now,
      }),
      badLines: 2,
    },
    filter: { ...defaultFilter, period: 'week' },
  }),
  years: (now) => ({ data: dataOf(50_000, 900, now), filter: { ...defaultFilter, period: 'all' } }),
  custom: (now) => ({
    data: dataOf(900, 40, now),
    filter: { ...defaultFilter, period: 'days', from: '2026-10-01', outcome: 'complete' },
  }),
  refused: (now) => ({ data: dataOf(60, 7, now), filter: { ...defaultFilter, outcome: onlyRefused } }),
  unmatched: (now) => ({
    data: dataOf(5, 5, now),
    filter: { ...defaultFilter, model: 'svc/enterprise-coder-v1', outcome: 'unknown', confirmation: 'contradicted' },
  }),
  hostile: (now) => ({ data: hostile(now), filter: { ...defaultFilter, period: 'all' } }),
  contradicted: (now) => ({ data: contradicted(now), filter: { ...defaultFilter, period: 'all' } }),
  empty: () => ({
    data: { rows: [], postures: [], refusals: [], events: [], isWhole: true, badLines: 0, unsigned: '' },
    filter: defaultFilter,
  }),
  reading: (now) => ({ data: { ...dataOf(60, 7, now), isWhole: false }, filter: defaultFilter }),
};
