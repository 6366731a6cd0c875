import { listAuditFiles, readAuditFile } from './auditFiles.ts';
import { chainStart, macOf, safeParseRecord, splitLine } from './auditLine.ts';
import type { AuditAnchor } from './auditLog.ts';

/** What is wrong with a line: the first of its file. */
export interface AuditBreak {
  readonly file: string;
  /** Counted from 1. */
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
    /** Nothing of the session is there any more. */
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

interface Chain {
  count: number;
  head: string;
  /** The mac of the line that the anchor counts to. */
  anchored: string | undefined;
  file: string;
  lines: number;
  isBroken: boolean;
}

/** Checks every line of every file, a file at a time. Throws what reading throws. */
export async function verifyAuditLog({ folder, key, anchors }: VerifyOptions): Promise<AuditVerdict> {
  const chains = new Map<string, Chain>();
  const breaks: AuditBreak[] = [];
  const halfLines: string[] = [];
  const files = await listAuditFiles(folder);
  let records = 0;
  for (const { name, session } of files) {
    const chain = chains.get(session) ?? newChain(name);
    chains.set(session, chain);
    chain.file = name;
    chain.lines = 0;
    const { lines, rest } = await readAuditFile(folder, name);
    records += lines.length;
    for (const line of lines) {
      chain.lines += 1;
      // After the first break nothing in the session can be said to follow.
      if (chain.isBroken) continue;
      const reason = faultOf(line, session, chain, key);
      if (reason !== null) {
        chain.isBroken = true;
        breaks.push({ file: name, line: chain.lines, reason });
      }
      if (chain.count === anchors.get(session)?.count) chain.anchored = chain.head;
    }
    if (rest !== '') halfLines.push(name);
  }
  for (const [session, { count, head }] of anchors) {
    const chain = chains.get(session);
    if (chain === undefined) breaks.push({ file: session, line: 0, reason: 'missing' });
    else if (chain.isBroken) continue;
    else if (chain.count < count) breaks.push({ file: chain.file, line: chain.lines + 1, reason: 'cut' });
    else if (chain.anchored !== head) breaks.push({ file: chain.file, line: chain.lines, reason: 'chain' });
  }
  return { verdict: breaks.length === 0 ? 'intact' : 'broken', files: files.length, records, breaks, halfLines };
}

function newChain(file: string): Chain {
  return { count: 0, head: chainStart, anchored: undefined, file, lines: 0, isBroken: false };
}

/** Checks a line against the chain so far and, where it is good, adds it. */
function faultOf(line: string, session: string, chain: Chain, key: Uint8Array): AuditBreak['reason'] | null {
  const split = splitLine(line);
  if (split === null) return 'not-a-record';
  if (macOf(split.text, key) !== split.mac) return 'altered';
  const record = safeParseRecord(split.text);
  if (record === null) return 'not-a-record';
  if (record.session !== session || record.seq !== chain.count + 1) return 'out-of-order';
  if (record.prev !== chain.head) return 'chain';
  chain.count += 1;
  chain.head = split.mac;
  return null;
}
