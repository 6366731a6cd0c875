import { RecordRows, type StampedEntry } from '../../../src/features/audit/vscode/rows.ts';
import type { AuditData, AuditDataMessage } from '../../../src/protocol/audit/auditMessages.ts';
import { type AuditPart, Columns } from '../../../src/protocol/audit/auditPart.ts';
import { type AuditRow, outcomeFields, requestFields } from '../../../src/protocol/audit/auditRequest.ts';
import { PageLog } from '../../../src/webview/audit/pageLog.ts';
import { flagWords } from '../headerInventory.ts';

/** The data of the page for some records, as the host sends it in one part. */
export function pageData(records: readonly StampedEntry[]): AuditData {
  const rows = new RecordRows();
  for (const record of records) rows.add(record, { flags: flagWords, refusalRows: () => [], eventRows: () => [] });
  const log = new PageLog();
  log.add(JSON.parse(new TextDecoder().decode(rows.encoded())));
  return log.data({ isWhole: true, badLines: 0, unsigned: '' });
}

type Lists = Pick<AuditData, 'rows' | 'postures' | 'refusals' | 'events'>;

/** A part of the log with the data of a page. */
export function partOf({ rows, postures, refusals, events }: Lists): AuditPart {
  const names = (fields: object) => [...Object.keys(fields), 'at', 'posture'] as (keyof AuditRow)[];
  const requests = new Columns<AuditRow>(names(requestFields));
  const outcomes = new Columns<AuditRow>(names(outcomeFields));
  for (const row of rows) {
    requests.add(row);
    outcomes.add(row);
  }
  return { requests: requests.packed(), outcomes: outcomes.packed(), postures, refusals, events };
}

/** The message with the data of a page. */
export function messageOf({ isWhole, badLines, unsigned, verdict, ...lists }: AuditData): AuditDataMessage {
  const part = new TextEncoder().encode(JSON.stringify(partOf(lists)));
  return {
    type: 'data',
    isNew: true,
    parts: [part],
    status: { isWhole, badLines, unsigned, ...(verdict && { verdict }) },
  };
}
