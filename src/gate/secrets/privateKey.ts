import type { SecretRule, SecretSpan } from './span.ts';

const edge = /-----(?<which>BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Lines as a key has them, in a comment or a string too, where the last line is missing. */
const body =
  /(?:(?:\s|\\[nr]|["'+,#*>|]|\/\/){0,16}(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash): ?[^\r\n\\]{0,200}|[A-Za-z0-9+/=]{16,}))+(?:(?:\s|\\[nr]|["'+,#*>|]|\/\/){1,16}[A-Za-z0-9+/]{1,15}={0,2}(?![\w]))?/y;
/** Code that compares with the first line has no such thing behind it. */
const material = /[A-Za-z0-9+/=]{16}/;

/** From its first line to its last; without a last line, as far as it looks like a key. */
export const privateKey: SecretRule = function* (text): Generator<SecretSpan> {
  const edges = [...text.matchAll(edge)].map(({ index, groups, 0: line }) => ({
    isBegin: groups?.which === 'BEGIN',
    start: index,
    end: index + line.length,
  }));
  // Only what lies between one edge and the next is looked at: no text is looked at twice.
  for (const [at, { isBegin, start, end }] of edges.entries()) {
    if (!isBegin) continue;
    const next = edges[at + 1];
    if (next !== undefined && !next.isBegin && isKey(text.slice(end, next.start))) {
      yield { rule: 'private-key', start, end: next.end };
      continue;
    }
    body.lastIndex = end;
    const found = body.exec(text)?.[0];
    if (found !== undefined) yield { rule: 'private-key', start, end: end + found.length };
  }
};

/** Nothing but base64, however short its lines; or mostly: words between two such lines in code are not. */
function isKey(between: string): boolean {
  const packed = between.replace(/\s+|\\[nr]/g, '');
  if (/^[A-Za-z0-9+/=]{64,}$/.test(packed)) return true;
  if (!material.test(between)) return false;
  const letters = between.match(/[A-Za-z0-9+/=]{16,}/g)?.reduce((sum, run) => sum + run.length, 0) ?? 0;
  return letters * 2 > packed.length;
}
