// The check of the log of earlier versions, whose lines have an HMAC. Such files are read, never written.
import { append } from '../../../util/append.ts';
import { type AuditFileName, auditFileName, readAuditFile } from '../auditFiles.ts';
import { ifTooLarge } from '../auditRead.ts';
import { auditSessions } from '../sessionFiles.ts';
import { chainStart, macOf, safeParseLink, splitLine } from './hmacLine.ts';

/** The length of a session's log, stored apart from the files, so that a removed tail is noticed. */
export interface HmacAnchor {
  readonly count: number;
  /** The mac of the last line. */
  readonly head: string;
}

/** The first bad line of a file, and its fault. */
export interface HmacBreak {
  /** The file's name; the session's name if none of its files is left. */
  readonly file: string;
  /** Counted from 1; 0 for a missing file. */
  readonly line: number;
  readonly reason: /** Not a line of the log at all. */
    | 'not-a-record'
    /** Its content differs from the signed content, or it was signed with another key. */
    | 'altered'
    /** Lines before it are missing, inserted or reordered. */
    | 'out-of-order'
    /** It is not linked to the previous line. */
    | 'chain'
    /** Lines at the end are missing. */
    | 'cut'
    /** The file, or every file of the session, is missing. */
    | 'missing';
}

export interface HmacVerdict {
  readonly verdict: 'intact' | 'broken';
  readonly files: number;
  readonly records: number;
  readonly breaks: readonly HmacBreak[];
  /** Files that end in an incomplete line after the anchor: the result of a crash, not of tampering. */
  readonly halfLines: readonly string[];
}

interface VerifyHmacOptions {
  readonly folder: string;
  readonly key: Uint8Array;
  readonly anchors: ReadonlyMap<string, HmacAnchor>;
}

/** The state of a session's check. */
interface Chain {
  /** The expected previous mac is unknown: a file is missing or broken. */
  isOpen: boolean;
  count: number;
  head: string;
  part: number;
  /** The mac of the line at which the anchor was set. */
  anchored: string | undefined;
  file: string;
  lines: number;
  /** True if the file has a break. */
  isBroken: boolean;
}

/** Checks every line of every file, one file at a time. Throws the errors of reading. */
export async function verifyHmac({ folder, key, anchors }: VerifyHmacOptions): Promise<HmacVerdict> {
  const chains = new Map<string, Chain>();
  const breaks: HmacBreak[] = [];
  const halfLines: string[] = [];
  const files = [...(await auditSessions(folder)).hmac.values()].flat();
  const lastFiles = new Map(files.map(({ session, name }) => [session, name]));
  let records = 0;
  for (const file of files) {
    const { name, session } = file;
    const chain = chains.get(session) ?? newChain();
    chains.set(session, chain);
    append(breaks, turnTo(file, chain));
    // Byte for byte: decoded as UTF-8, invalid bytes could look like the signed ones.
    const read = await readAuditFile(folder, name, 'latin1').catch(ifTooLarge);
    if (read === null) {
      chain.isBroken = true;
      breaks.push({ file: name, line: 1, reason: 'not-a-record' });
      continue;
    }
    const { lines, rest } = read;
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
    // A crash leaves an incomplete line only at the end of the session's last file.
    if (lastFiles.get(session) === name) halfLines.push(name);
    else if (!chain.isBroken) {
      chain.isBroken = true;
      breaks.push({ file: name, line: chain.lines + 1, reason: 'not-a-record' });
    }
  }
  for (const [session, anchor] of anchors) append(breaks, lostSince(session, anchor, chains.get(session)));
  return { verdict: breaks.length === 0 ? 'intact' : 'broken', files: files.length, records, breaks, halfLines };
}

function newChain(): Chain {
  const at = { isOpen: false, count: 0, head: chainStart, part: 0 };
  return { ...at, anchored: undefined, file: '', lines: 0, isBroken: false };
}

/** Moves on to the next file of a session; reports the first missing file before it. */
function turnTo({ name, session, stamp, part }: AuditFileName, chain: Chain): readonly HmacBreak[] {
  const next = chain.part + 1;
  const isMissing = part > next;
  chain.isOpen ||= chain.isBroken || isMissing;
  chain.isBroken = false;
  chain.file = name;
  chain.lines = 0;
  chain.part = part;
  return isMissing ? [{ file: auditFileName(stamp, session, next), line: 0, reason: 'missing' }] : [];
}

/** Checks a line against the chain so far and adds it if it is valid. */
function faultOf(line: string, session: string, chain: Chain, key: Uint8Array): HmacBreak['reason'] | null {
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

/** Reports lines that existed when the anchor was set and are missing now. */
function lostSince(session: string, anchor: HmacAnchor, chain: Chain | undefined): readonly HmacBreak[] {
  if (chain === undefined) return [{ file: session, line: 0, reason: 'missing' }];
  const { file, lines, isBroken, count, anchored } = chain;
  if (isBroken) return [];
  if (count < anchor.count) return [{ file, line: lines + 1, reason: 'cut' }];
  // `anchored` is undefined if the line follows a break, which is already reported.
  return anchored === undefined || anchored === anchor.head ? [] : [{ file, line: lines, reason: 'chain' }];
}
