// Proofs of one record: https://c2sp.org/tlog-proof. Its leaf is the line of the ledger with a head of the session.
import { fromBase64, hashFromBase64 } from './base64.ts';
import { parseCheckpoint, type SignedCheckpoint } from './checkpoint.ts';
import { jsonObject } from './jsonObject.ts';
import { parseLedgerRecord } from './ledgerRecords.ts';
import { type FramePlaces, frameAt, leafOf } from './line.ts';
import { checkNote } from './note.ts';
import { isCosigned, type Policy } from './policy.ts';
import { inclusionProof, verifyInclusion } from './tree.ts';

const firstLine = 'c2sp.org/tlog-proof@v1';

interface ProofInput {
  /** The signed note of a checkpoint. */
  readonly checkpoint: string;
  /** The leaves of the ledger that the checkpoint covers. */
  readonly ledgerLeaves: readonly Buffer[];
  /** The line of the ledger with the session's head, and its number. */
  readonly head: string;
  readonly headSeq: number;
  /** The leaves of the session that the head covers. */
  readonly sessionLeaves: readonly Buffer[];
  /** The number of the record. */
  readonly seq: number;
}

/** The proof as text. */
export function makeProof({ checkpoint, ledgerLeaves, head, headSeq, sessionLeaves, seq }: ProofInput): string {
  const path = inclusionProof(sessionLeaves, seq - 1).map(base64);
  const extra = JSON.stringify({ head, index: seq - 1, size: sessionLeaves.length, path });
  const hashes = inclusionProof(ledgerLeaves, headSeq - 1).map((hash) => `${base64(hash)}\n`);
  return `${firstLine}\nextra ${base64(Buffer.from(extra))}\nindex ${headSeq - 1}\n${hashes.join('')}\n${checkpoint}`;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}

/** The reason why a proof is not valid, or `vouched`. `not-cosigned`: the signature that the policy requires is missing. */
type ProofResult =
  | 'not-a-proof'
  | 'not-a-record'
  | 'other-record'
  | 'not-in-session'
  | 'not-in-ledger'
  | 'unknown-key'
  | 'signature'
  | 'not-cosigned'
  | 'vouched';

/** Checks that a record's line, without its line ending, is in a log of the policy. */
export function checkProof(proof: string, record: string, policy: Policy): ProofResult {
  const parsed = parseProof(proof);
  if (parsed === null) return 'not-a-proof';
  const { head, index, size, path, checkpoint } = parsed;
  const frame = frameIn(record);
  const claim = parseLedgerRecord(head);
  const headFrame = frameIn(head);
  if (claim === null || claim === 'unknown' || claim.kind !== 'head' || headFrame === null) return 'not-a-proof';
  if (frame?.of !== 'session') return 'not-a-record';
  if (frame.name !== claim.session || frame.seq !== index + 1) return 'other-record';
  const root = hashFromBase64(claim.root);
  const isInSession = root !== null && verifyInclusion({ leaf: leafOf(record), index, size, proof: path, root });
  if (claim.size !== size || !isInSession) return 'not-in-session';
  const inLedger = { ...checkpoint, leaf: leafOf(head), index: parsed.at, proof: parsed.hashes };
  const isInPlace = headFrame.name === checkpoint.origin && headFrame.seq === parsed.at + 1;
  if (!isInPlace || !verifyInclusion(inLedger)) return 'not-in-ledger';
  const key = policy.logs.get(checkpoint.origin);
  const signed = key === undefined ? 'unknown' : checkNote(checkpoint.note, key);
  if (signed !== 'valid') return signed === 'unknown' ? 'unknown-key' : 'signature';
  return isCosigned(checkpoint.note, policy) ? 'vouched' : 'not-cosigned';
}

function frameIn(line: string): FramePlaces | null {
  const bytes = Buffer.from(line, 'latin1');
  return frameAt(bytes, 0, bytes.length);
}

interface ParsedProof {
  readonly head: string;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Buffer[];
  /** The index of the head in the ledger. */
  readonly at: number;
  readonly hashes: readonly Buffer[];
  readonly checkpoint: SignedCheckpoint;
}

function parseProof(text: string): ParsedProof | null {
  const end = text.indexOf('\n\n');
  const [first, extra = '', index = '', ...lines] = text.slice(0, Math.max(0, end)).split('\n');
  const checkpoint = parseCheckpoint(text.slice(end + 2));
  const [, at] = /^index (0|[1-9]\d{0,6})$/.exec(index) ?? [];
  const hashes = hashesOf(lines);
  const inner = parseExtra(extra);
  if (first !== firstLine || checkpoint === null || at === undefined || hashes === null || inner === null) return null;
  return { ...inner, at: Number(at), hashes, checkpoint };
}

/** Parses the inner proof. It is not signed, but valid if it leads to the root in the signed head. */
function parseExtra(line: string): Pick<ParsedProof, 'head' | 'index' | 'size' | 'path'> | null {
  const bytes = line.startsWith('extra ') ? fromBase64(line.slice('extra '.length)) : null;
  if (bytes === null || bytes.length > 64_000) return null;
  const { head, index, size, path } = jsonObject(bytes.toString('utf8')) ?? {};
  const hashes = Array.isArray(path) ? hashesOf(path) : null;
  if (typeof head !== 'string' || typeof index !== 'number' || typeof size !== 'number' || hashes === null) return null;
  return { head, index, size, path: hashes };
}

/** Returns null if a value is not a hash, or if there are more hashes than a tree can have levels. */
function hashesOf(values: readonly unknown[]): readonly Buffer[] | null {
  const hashes = values.map((value) => (typeof value === 'string' ? hashFromBase64(value) : null));
  return hashes.length <= 63 && hashes.every((hash) => hash !== null) ? hashes : null;
}
