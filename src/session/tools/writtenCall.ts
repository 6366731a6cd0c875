/** The maximum length in characters of an answer that is searched for a call. */
const maxLength = 100_000;

/**
 * The beginning of a call in the syntax of a model's template. A server passes it on as text if it does not know the
 * template, or was started without its parser.
 */
const marks =
  /^[ \t]*(?:<\|?tool_calls?\|?>|<\|?\/?tool_call(?:_begin|s_section_begin)?\|>|\[TOOL_CALLS\]|<function=|<function_calls?>|<invoke name=|<\|python_tag\|>|<｜tool▁calls?▁begin｜>|<\|channel\|>commentary to=functions)/m;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/** Whether the answer has a call as text, outside of code: it is not run, and the user should know why nothing happens. */
export function hasWrittenCall(answer: string): boolean {
  if (answer.length > maxLength) return false;
  const isObject = answer.trimStart().startsWith('{') && isCall(answer);
  return isObject || (marks.test(answer) && marks.test(withoutCode(answer)));
}

/** Whether the whole answer is a call, such as `{"name": "read_file", "arguments": {...}}`. */
function isCall(answer: string): boolean {
  try {
    const { name, arguments: input, parameters = input } = JSON.parse(answer);
    return (
      typeof name === 'string' && /^[\w.-]{1,128}$/.test(name) && typeof parameters === 'object' && parameters !== null
    );
  } catch {
    return false;
  }
}

function withoutCode(answer: string): string {
  let open = '';
  const lines = answer.split('\n').filter((line) => {
    const mark = fence.exec(line)?.[1] ?? '';
    if (open === '') open = mark;
    else if (mark.startsWith(open)) open = '';
    return open === '' && mark === '';
  });
  return lines.join('\n');
}
