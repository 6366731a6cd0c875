import { snippetNamed } from './generate.ts';

/** The place in a prompt where code is to be inserted. See the callers that request completions. */
const mark = '<|cursor|>';

/** Whether code is to be inserted at a mark. */
export function asksToComplete(prompt: string): boolean {
  return prompt.includes(mark) && /^complete this\b/i.test(prompt);
}

/**
 * The code for the mark, by rules: the rest of a function that the rules know by its name, else the closing of an open
 * bracket in the line, else a comment that names the service. Only code, as requested.
 */
export function completeAnswer(prompt: string): string {
  const before = prompt.slice(0, prompt.lastIndexOf(mark));
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const name = /\b(?:function|def)\s+(\w*)\s*\(?[^)]*$/.exec(line)?.[1];
  if (name !== undefined && name !== '') {
    const language = /\bdef\s/.test(line) ? 'python' : 'typescript';
    const body = snippetNamed(name, language);
    if (body !== undefined) return restOf(body, line);
  }
  const open = [...line].reduce((stack, each) => {
    if ('([{'.includes(each)) return stack + closing[each as keyof typeof closing];
    return ')]}'.includes(each) && stack.endsWith(each) ? stack.slice(0, -1) : stack;
  }, '');
  if (open !== '') return [...open].reverse().join('');
  return line.trim() === '' ? '// Completed by the rules of the local service.' : ';';
}

const closing = { '(': ')', '[': ']', '{': '}' } as const;

/** The snippet without the part that the line already contains. */
function restOf(snippet: string, line: string): string {
  const start = /\b(?:function|def)\s.*$/.exec(line)?.[0] ?? line;
  const at = snippet.indexOf(start);
  return at === -1 ? snippet.slice(snippet.indexOf('(')) : snippet.slice(at + start.length);
}
