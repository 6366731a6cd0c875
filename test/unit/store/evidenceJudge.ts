// A second opinion on what the writer writes, by the letter of RFC 6962 and C2SP, without any part of src/evidence.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Judgment {
  /** Empty if everything is as it was signed. */
  readonly faults: readonly string[];
  readonly sessions: number;
  /** The lines of sessions, and those of them that no head speaks of. */
  readonly lines: number;
  readonly unsigned: number;
}

interface Line {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const hash = (...parts: readonly Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const leaf = (text: string): Buffer => hash(Buffer.of(0), Buffer.from(text));

/** MTH of RFC 6962, section 2.1, of leaf hashes. */
function treeHash(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return hash();
  if (leaves.length === 1) return leaves[0] as Buffer;
  const k = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return hash(Buffer.of(1), treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)));
}

function linesIn(folder: string, name: string): Line[] {
  const texts = readFileSync(join(folder, name), 'latin1').split('\n').slice(0, -1);
  return texts.map((text) => ({ text, value: JSON.parse(text) }));
}

/** Faults of numbers and links. */
function chainFaults(name: string, lines: readonly Line[]): string[] {
  return lines.flatMap(({ text, value }, index) => {
    const before = lines[index - 1];
    const prev = before === undefined ? '0'.repeat(64) : leaf(before.text).toString('hex');
    const isPlain = /^[\x20-\x7e]{1,8000}$/.test(text);
    return isPlain && value.seq === index + 1 && value.prev === prev ? [] : [`${name}: line ${index + 1}`];
  });
}

export function judge(folder: string): Judgment {
  const names = readdirSync(folder).sort();
  const sessions = new Map<string, Line[]>();
  for (const name of names.filter((each) => /^\d{8}T/.test(each))) {
    const lines = linesIn(folder, name);
    const session = name.slice(17, 53);
    if (lines.some(({ value }) => value.v !== 2)) continue;
    sessions.set(session, [...(sessions.get(session) ?? []), ...lines]);
  }
  const faults = [...sessions].flatMap(([session, lines]) => chainFaults(session, lines));
  const signed = new Map<string, number>();
  const ledgers = names
    .filter((each) => /^ledger-.*\.jsonl$/.test(each))
    .map((name) => [name, linesIn(folder, name)] as const);
  const said = ledgers.flatMap(([, lines]) => lines.filter(({ value }) => value.kind === 'removed'));
  const removed = new Set(said.map(({ value }) => String(value.session)));
  for (const [name, lines] of ledgers) faults.push(...ledgerFaults(name, lines, sessions, signed, removed));
  for (const session of removed) if (sessions.has(session)) faults.push(`${session}: removed, but there`);
  const all = [...sessions].map(([session, lines]) => ({ lines: lines.length, signed: signed.get(session) ?? 0 }));
  const lines = all.reduce((sum, each) => sum + each.lines, 0);
  const unsigned = all.reduce((sum, each) => sum + each.lines - each.signed, 0);
  return { faults, sessions: sessions.size, lines, unsigned };
}

function ledgerFaults(
  name: string,
  lines: readonly Line[],
  sessions: ReadonlyMap<string, readonly Line[]>,
  signed: Map<string, number>,
  removed: ReadonlySet<string>,
): readonly string[] {
  const leaves: Line[] = [];
  const faults: string[] = [];
  let last = 0;
  for (const line of lines) {
    const { value } = line;
    if (value.kind !== 'checkpoint') {
      leaves.push(line);
      continue;
    }
    const vkey = String(leaves[0]?.value.vkey);
    const fault = checkpointFault(String(value.note), vkey, leaves);
    if (fault !== null) faults.push(`${name}: ${fault}`);
    last = leaves.length;
  }
  faults.push(...chainFaults(name, leaves));
  if (last !== leaves.length) faults.push(`${name}: lines after the last checkpoint`);
  for (const { value } of leaves) {
    if (value.kind !== 'head' || removed.has(String(value.session))) continue;
    const session = String(value.session);
    const size = Number(value.size);
    const there = sessions.get(session) ?? [];
    const root = treeHash(there.slice(0, size).map(({ text }) => leaf(text))).toString('base64');
    if (there.length < size || root !== value.root) faults.push(`${session}: head ${size}`);
    signed.set(session, Math.max(size, signed.get(session) ?? 0));
  }
  return faults;
}

function checkpointFault(note: string, vkey: string, leaves: readonly Line[]): string | null {
  const [, name = '', id = '', key = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey) ?? [];
  const [text = '', signature = ''] = note.split('\n\n');
  const root = treeHash(leaves.map((line) => leaf(line.text))).toString('base64');
  if (text !== `${name}\n${leaves.length}\n${root}`) return `root of ${leaves.length}`;
  const [, encoded = ''] = signature.match(/^\u2014 \S+ (\S+)\n$/) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(key, 'base64').subarray(1)]);
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  const isSigned = verify(null, Buffer.from(`${text}\n`), publicKey, bytes.subarray(4));
  return isSigned && bytes.toString('hex', 0, 4) === id ? null : `signature of ${leaves.length}`;
}
