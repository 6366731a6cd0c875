/**
 * The code in an answer that was asked for as code alone, as far as it has come: the inside of its first fence, or the
 * whole text where the model left the fence out. Ends with one line end, or is empty.
 */
export function codeFromAnswer(answer: string): string {
  const opening = /^[ \t]*(`{3,}|~{3,})[^\n]*(\n|$)/m.exec(answer);
  if (opening === null) return withLineEnd(answer);
  const fence = opening[1] ?? '```';
  const body = answer.slice(opening.index + opening[0].length);
  const closing = new RegExp(`^[ \\t]*${fence[0] === '~' ? '~' : '`'}{${fence.length},}[ \\t]*\\r?$`, 'm').exec(body);
  return withLineEnd(closing === null ? body : body.slice(0, closing.index));
}

function withLineEnd(code: string): string {
  const text = code.replace(/^(\s*\n)+/, '').trimEnd();
  return text === '' ? '' : `${text}\n`;
}
