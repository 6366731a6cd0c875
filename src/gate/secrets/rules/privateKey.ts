import type { Span } from '../../../util/text/span.ts';
import { matcher, windowEnds } from '../matches.ts';
import type { SecretRule, SecretSpan } from '../span.ts';
import { endOfKey, endOfLines, isAsLong, pairsOfLines, startOfCutLine, startOfKey } from './keyLines.ts';

interface Edge extends Span {
  readonly isBegin: boolean;
}

const edge = /-----(?<which>BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Text of a key. In code that compares with the first line of a key, no such text follows it. */
const material = /[A-Za-z0-9+/=]{16}/;
const rule = 'private-key';

/** A key from its first line to its last one; if one of them is missing, as far as the text looks like a key. */
export const privateKey: SecretRule = {
  names: [rule],
  *find(text) {
    const edges = matcher(text, edge);
    let open: Edge | null = null;
    // Searches only between one edge and the next: no text is searched twice.
    let from = 0;
    for (const to of windowEnds(text)) {
      for (const { index, groups, 0: line } of edges(to)) {
        const next = { isBegin: groups?.which === 'BEGIN', start: index, end: index + line.length };
        const found = yield* between(text, open, next, from);
        if (found !== null) yield found;
        open = next.isBegin ? next : null;
        from = found?.end ?? next.end;
      }
      yield null;
    }
    const found = open === null ? null : yield* between(text, open, null, from);
    if (found !== null) yield found;
  },
};

/** The key from one edge to the next, or from `from` if it has no opening edge. */
function* between(
  text: string,
  open: Edge | null,
  next: Edge | null,
  from: number,
): Generator<null, SecretSpan | null> {
  if (open === null) {
    if (next === null || next.isBegin) return null;
    const start = yield* startOfKey(text, from, next.start);
    return start === next.start ? null : { rule, start, end: next.end };
  }
  if (next !== null && !next.isBegin && isKey(text, open.end, next.start)) {
    return { rule, start: open.start, end: next.end };
  }
  const end = yield* endOfKey(text, open.end);
  return end === open.end ? null : { rule, start: open.start, end };
}

/** The maximum length of a key between two edges; in a longer text, the key ends with its lines. */
const maxKeyLength = 64 * 1024;

/** Whether a text is only or mostly base64, with lines of any length, and not code between two such edges. */
function isKey(text: string, start: number, end: number): boolean {
  if (end - start > maxKeyLength) return false;
  const inside = text.slice(start, end);
  const packed = inside.replace(/\s+|\\[nr]/g, '');
  if (/^[A-Za-z0-9+/=]{64,}$/.test(packed)) return true;
  if (!material.test(inside)) return false;
  const letters = inside.match(/[A-Za-z0-9+/=]{16,}/g)?.reduce((sum, run) => sum + run.length, 0) ?? 0;
  return letters * 2 > packed.length;
}

/**
 * The first base64 characters of a private key: in DER for RSA and EC keys of three standards, Ed25519, and OpenSSH's
 * own format. Or the line before a private key of PuTTY.
 */
const firstBytes =
  /Private-Lines: ?\d{1,4}(?:\s|\\[nr]){1,4}(?=[A-Za-z0-9+/]{16})|(?<![A-Za-z0-9+/=_-])(?:MII[A-Za-z0-9+/]{2}[AQgw]IBA(?:AKC|DANBgkqhkiG9w0BAQEF)|MHcCAQEEI|MIG[A-Za-z0-9+/]AgE(?:AM|BBD)|MIHcAgEBBE|MIHuAgEAM|MC4CAQAwBQYDK2VwBCIEI|b3BlbnNzaC1rZXktdjEA)[A-Za-z0-9+/]{24}/g;

/** A key without its first line, recognized by its first bytes, or a key of PuTTY. */
export const codedKey: SecretRule = {
  names: [rule],
  *find(text) {
    const matches = matcher(text, firstBytes);
    let from = 0;
    for (const to of windowEnds(text)) {
      for (const { index, 0: found } of matches(to)) {
        const start = found.startsWith('Private') ? index + found.length : index;
        if (start < from) continue;
        from = yield* endOfKey(text, start);
        yield { rule, start, end: from };
      }
      yield null;
    }
  },
};

/**
 * Part of a key without either edge: at least two full lines of base64 of the same length. Other data looks the same: a
 * certificate is recognized by an edge, a picture by its `data:`, if the text contains it. This rule is for text without a
 * source document.
 */
export const cutKey: SecretRule = {
  names: [rule],
  *find(text) {
    const matches = pairsOfLines(text);
    let from = 0;
    for (const to of windowEnds(text)) {
      for (const { index, groups } of matches(to)) {
        const { line = '', next = '' } = groups ?? {};
        if (index < from || !isAsLong(line.length, next.length) || !isCoded(line + next)) continue;
        const start = Math.max(startOfCutLine(text, index), from);
        from = yield* endOfLines(text, index + line.length, line.length);
        if (!isOther(text, start, from)) yield { rule, start, end: from };
      }
      yield null;
    }
  },
};

/** Whether a text looks like base64 of random bytes, and not like hex digests, names or rows of one character. */
function isCoded(text: string): boolean {
  return /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text) && new Set(text).size >= 24;
}

const otherBegin =
  /-----BEGIN (?![A-Z0-9 ]*PRIVATE KEY)[A-Z0-9 ]{1,60}-----(?:[\s"'+,#*>|/\\nr]|\w{4,12}: [^\r\n]{0,200}[\r\n])*$/;
const otherEnd = /^[\s"'+,#*>|/\\nr:\d]{0,32}-----END (?![A-Z0-9 ]*PRIVATE KEY)[A-Z0-9 ]{1,60}-----/;
const media = /data:(?:image|font|audio|video)\/[\w.+-]{1,60}(?:;[\w=.-]{1,40}){0,4},[A-Za-z0-9+/\s"'\\]{0,300}$/;

const fullLine = /[A-Za-z0-9+/]{48,136}/y;

/** Whether lines of base64 begin at a position that belong to a certificate or a picture. */
export function isOtherCode(text: string, start: number): boolean {
  fullLine.lastIndex = start;
  const length = fullLine.exec(text)?.[0].length ?? 0;
  if (length === 0) return false;
  // It pauses only in more lines than a certificate has.
  const end = endOfLines(text, start + length, length).next();
  return end.done === true && isOther(text, startOfCutLine(text, start), end.value);
}

function isOther(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 400), start);
  return otherBegin.test(before) || media.test(before) || otherEnd.test(text.slice(end, end + 160));
}
