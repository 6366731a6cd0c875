import { type Candidate, ownCandidate } from '../../../../src/evidence/provenance/committed.ts';
import { editKeyOf, sealLines } from '../../../../src/evidence/provenance/lineKeys.ts';
import type { AddedLines } from '../../../../src/evidence/provenance/matchEdits.ts';
import { expected } from '../vectors.ts';

export const provenanceKey = Buffer.alloc(32, 5);

/** An edit accepted on this machine. */
export function accepted(edit: string, lines: readonly string[], request = edit): Candidate {
  const key = editKeyOf(provenanceKey, edit);
  const { tags, matches } = sealLines(key, lines);
  const place = { log: expected.origin, session: '00000001-0000-4000-8000-000000000000', seq: 7 };
  return ownCandidate({ edit, request, model: 'svc/enterprise-coder-v1', ...place, tags }, key, matches);
}

export const uuidOf = (number: number) => `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** A file that a commit added completely. */
export function wholeFile(path: string, lines: readonly string[]): AddedLines {
  return { path, lines: lines.map((text, index) => ({ number: index + 1, text })) };
}

export const thirteen: readonly string[] = [
  'export function total(items: readonly Item[]): number {',
  '  let cents = 0;',
  '  for (const { price, count } of items) {',
  '    if (count === 0) {',
  '      continue;',
  '    }',
  '    cents += price * count;',
  '  }',
  '',
  '  const fee = Math.round(cents * 0.029) + 30;',
  '  const sum = cents + fee;',
  '  return sum;',
  '}',
];
