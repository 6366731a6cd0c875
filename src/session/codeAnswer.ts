const fenceOpening = /^[ \t]*(`{3,}|~{3,})[^\n]*(\n|$)/m;

/**
 * The code in an answer that was asked for as code alone, as far as it has come: the inside of its first fence, or the
 * whole text where the model left the fence out. Ends with one line end, or is empty.
 */
export function codeFromAnswer(answer: string): string {
  const opening = fenceOpening.exec(answer);
  return withLineEnd(opening === null ? answer : insideOf(answer, opening).code);
}

function withLineEnd(code: string): string {
  const text = code.replace(/^(\s*\n)+/, '').trimEnd();
  return text === '' ? '' : `${text}\n`;
}

/** The code of each of `count` places, from one fence for each, in order; empty where there is none yet. */
export function codesFromAnswer(answer: string, count: number): readonly string[] {
  if (count <= 1) return [codeFromAnswer(answer)];
  const codes: string[] = [];
  let rest = answer;
  while (codes.length < count) {
    const opening = fenceOpening.exec(rest);
    if (opening === null) break;
    const { code, end } = insideOf(rest, opening);
    codes.push(withLineEnd(code));
    rest = rest.slice(end);
  }
  return [...codes, ...Array.from({ length: count - codes.length }, () => '')];
}

function insideOf(answer: string, opening: RegExpExecArray): { readonly code: string; readonly end: number } {
  const fence = opening[1] ?? '```';
  const start = opening.index + opening[0].length;
  const body = answer.slice(start);
  const closing = new RegExp(`^[ \\t]*${fence[0] === '~' ? '~' : '`'}{${fence.length},}[ \\t]*\\r?$`, 'm').exec(body);
  if (closing === null) return { code: body, end: answer.length };
  return { code: body.slice(0, closing.index), end: start + closing.index + closing[0].length };
}
