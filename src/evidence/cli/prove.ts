import type { Head, LedgerRecord } from '../ledgerRecords.ts';
import { lineOf } from '../line.ts';
import { noteOf } from '../note.ts';
import { checkProof, makeProof } from '../proof.ts';
import type { NumberedLines } from '../verify/numberedLines.ts';
import type { VerifiedPart, VerifyOptions } from '../verify/part.ts';
import { verifyEvidence } from '../verify/verify.ts';
import { lastNote } from './lastNote.ts';
import { ascii, readPolicy, readSmall, stop } from './usage.ts';
import { printVerdict } from './words.ts';

/** Prints the proof of one record (`<session>:<seq>`), if the log is intact. Returns the exit code. */
export async function prove(options: VerifyOptions, record: string, print: (text: string) => void): Promise<number> {
  const [, session = '', number = ''] = /^([0-9a-f-]{36}):([1-9]\d{0,6})$/.exec(record) ?? [];
  if (session === '') stop('The record must be <session>:<number>.');
  const parts: VerifiedPart[] = [];
  const verdict = await verifyEvidence(options, (verified) => {
    if (verified.intake.sessions.has(session)) parts.push(verified);
  });
  if (verdict.verdict !== 'intact') return printVerdict(verdict, options, print);
  const [part] = parts;
  const proof = part === undefined ? null : proofOf(part, options, session, Number(number));
  if (proof === null) stop(`No signed line of the log covers ${session}:${number}.`);
  print(proof);
  return 0;
}

function proofOf(part: VerifiedPart, options: VerifyOptions, session: string, seq: number): string | null {
  const lines = part.intake.sessions.get(session);
  for (const verified of part.ledgers) {
    const { origin, records, size } = verified;
    const ledger = part.intake.ledgers.get(origin);
    const found = records.find(({ record, isSigned }) => isSigned && isHeadOf(record, session, seq));
    const last = found === undefined ? null : lastNote(part, verified, options);
    if (lines === undefined || ledger === undefined || found === undefined || last === null) continue;
    const head = found.record as Head & { readonly seq: number };
    const [ledgerLeaves, sessionLeaves] = [leavesOf(ledger, size), leavesOf(lines, head.size)];
    const place = { head: lineOf(head) ?? '', headSeq: head.seq, seq };
    return makeProof({ checkpoint: noteOf(last.note), ledgerLeaves, sessionLeaves, ...place });
  }
  return null;
}

function isHeadOf(record: LedgerRecord, session: string, seq: number): boolean {
  return record.kind === 'head' && record.session === session && record.size >= seq && record.why !== 'unvouched';
}

function leavesOf(lines: NumberedLines, size: number): readonly Buffer[] {
  return Array.from({ length: size }, (_, index) => lines.first(index + 1)?.leaf ?? Buffer.alloc(32));
}

const results = {
  'not-a-proof': 'The file is not a proof of a record.',
  'not-a-record': 'The record is not a line of a session.',
  'other-record': 'The proof is for another record.',
  'not-in-session': 'The record was changed.',
  'not-in-ledger': 'The session is not in the ledger.',
  'unknown-key': 'The key is not one of the trusted keys.',
  signature: 'The signature is not valid.',
  'not-cosigned': 'The record is in the log, but the second signature is missing.',
  vouched: 'The record is in the log, and the log is signed by a trusted key.',
} as const;

/** Checks a proof. Returns the exit code. */
export async function checkProofFile(
  paths: { readonly trustedKeys: string | undefined; readonly proof: string; readonly record: string },
  print: (text: string) => void,
): Promise<number> {
  const policy = await readPolicy(paths.trustedKeys);
  if (policy === null) stop('A proof needs --trusted-keys: it has no key of its own.');
  const proof = (await readSmall(paths.proof)).toString();
  const record = (await readSmall(paths.record)).toString('latin1').replace(/\r?\n$/, '');
  const result = checkProof(proof, record, policy);
  print(`${ascii(`${result}: ${results[result]}`)}\n`);
  return result === 'vouched' ? 0 : result === 'not-cosigned' || result === 'unknown-key' ? 3 : 1;
}
