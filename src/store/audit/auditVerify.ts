import { type AuditFileName, auditFileName, listAuditFiles, readAuditFile } from './auditFiles.ts';
import { chainStart, macOf, safeParseLink, splitLine } from './auditLine.ts';
import type { AuditAnchor } from './auditLog.ts';

/** What is wrong with a line: the first such line of its file. */
export interface AuditBreak {
  /** Its name; the session's, where no file of it is left. */
  readonly file: string;
  /** Counted from 1; 0 for a file that is not there. */
  readonly line: number;
  readonly reason: /** Not a line of the log at all. */
    | 'not-a-record'
    /** Its content is not what was signed, or it was signed with another key. */
    | 'altered'
    /** Lines before it are missing, or were put in, or stand in another order. */
    | 'out-of-order'
    /** It does not follow from the line before. */
    | 'chain'
    /** Lines that were written are not there any more. */
    | 'cut'
    /** The file, or all of the session's, is not there any more. */
    | 'missing';
}

export interface AuditVerdict {
  readonly verdict: 'intact' | 'broken';
  readonly files: number;
  readonly records: number;
  readonly breaks: readonly AuditBreak[];
  /** Files that end in half a line beyond what was anchored: what a crash leaves, and no sign of tampering. */
  readonly halfLines: readonly string[];
}

export interface VerifyOptions {
  readonly folder: string;
  readonly key: Uint8Array;
  readonly anchors: ReadonlyMap<string, AuditAnchor>;
}

/** How far the checks of a session have come. */
interface Chain {
  /** Nothing before the next line is known to follow from: a file is missing, or broken. */
  isOpen: boolean;
  count: number;
  head: string;
  part: number;
  /** The mac of the line that the anchor counts to. */
  anchored: string | undefined;
  file: string;
  lines: number;
  /** The file has a break. */
  isBroken: boolean;
}

/** Checks every line of every file, a file at a time. Throws what reading throws. */
export async function verifyAuditLog({ folder, key, anchors }: VerifyOptions): Promise<AuditVerdict> {
  const chains = new Map<string, Chain>();
  const breaks: AuditBreak[] = [];
  const halfLines: string[] = [];
  const files = await listAuditFiles(folder);
  const lastFiles = new Map(files.map(({ session, name }) => [session, name]));
  let records = 0;
  for (const file of files) {
    const { name, session } = file;
    const chain = chains.get(session) ?? newChain();
    chains.set(session, chain);
    breaks.push(...turnTo(file, chain));
    // Byte for byte: as UTF-8, bytes that are none could read like the ones that were signed.
    const { lines, rest } = await readAuditFile(folder, name, 'latin1');
    records += lines.length;
    for (const line of lines) {
      const reason = faultOf(line, session, chain, key);
      if (reason !== null) {
        chain.isBroken = true;
        breaks.push({ file: name, line: chain.lines + 1, reason });
        break;
      }
      chain.lines += 1;
      if (chain.count === anchors.get(session)?.count) chain.anchored = chain.head;
    }
    if (rest === '') continue;
    // A crash leaves half a line where nothing was written after it.
    if (lastFiles.get(session) === name) halfLines.push(name);
    else if (!chain.isBroken) {
      chain.isBroken = true;
      breaks.push({ file: name, line: chain.lines + 1, reason: 'not-a-record' });
    }
  }
  for (const [session, anchor] of anchors) breaks.push(...lostSince(session, anchor, chains.get(session)));
  return { verdict: breaks.length === 0 ? 'intact' : 'broken', files: files.length, records, breaks, halfLines };
}

function newChain(): Chain {
  const at = { isOpen: false, count: 0, head: chainStart, part: 0 };
  return { ...at, anchored: undefined, file: '', lines: 0, isBroken: false };
}

/** Goes on to the next file of a session; names the first that is missing before it. */
function turnTo({ name, session, stamp, part }: AuditFileName, chain: Chain): readonly AuditBreak[] {
  const next = chain.part + 1;
  const isMissing = part > next;
  chain.isOpen ||= chain.isBroken || isMissing;
  chain.isBroken = false;
  chain.file = name;
  chain.lines = 0;
  chain.part = part;
  return isMissing ? [{ file: auditFileName(stamp, session, next), line: 0, reason: 'missing' }] : [];
}

/** Checks a line against the chain so far and, where it is good, adds it. */
function faultOf(line: string, session: string, chain: Chain, key: Uint8Array): AuditBreak['reason'] | null {
  const split = splitLine(line);
  if (split === null) return 'not-a-record';
  if (macOf(split.text, key, 'latin1') !== split.mac) return 'altered';
  const link = safeParseLink(split.text);
  if (link === null) return 'not-a-record';
  if (link.session !== session) return 'out-of-order';
  if (!chain.isOpen && link.seq !== chain.count + 1) return 'out-of-order';
  if (!chain.isOpen && link.prev !== chain.head) return 'chain';
  chain.isOpen = false;
  chain.count = link.seq;
  chain.head = split.mac;
  return null;
}

/** What was there when the anchor was set, and is not any more. */
function lostSince(session: string, anchor: AuditAnchor, chain: Chain | undefined): readonly AuditBreak[] {
  if (chain === undefined) return [{ file: session, line: 0, reason: 'missing' }];
  const { file, lines, isBroken, count, anchored } = chain;
  if (isBroken) return [];
  if (count < anchor.count) return [{ file, line: lines + 1, reason: 'cut' }];
  // Not seen at all where it stood behind a break, which is said already.
  return anchored === undefined || anchored === anchor.head ? [] : [{ file, line: lines, reason: 'chain' }];
}
