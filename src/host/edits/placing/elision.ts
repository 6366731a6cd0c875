const opening = String.raw`(?:\/\/+|#+|--+|;+|%+|\/\*+|\*+|<!--+|\{\s*\/\*+|\(\*+|'|"""|'''|rem\b)`;
const closing = String.raw`(?:\*+\/\s*\}|\*+\/|--+>|\*+\)|"""|''')`;
const comment = new RegExp(String.raw`^${opening}\s*(.*?)\s*${closing}?$`, 'i');
const dots = String.raw`(?:\.{3,}|…)`;
const onlyDots = new RegExp(`^${dots}$`);
const betweenDots = new RegExp(`^${dots}.*${dots}$`);
const besideDots = new RegExp(`^${dots}|${dots}$`);
/** Phrases that models use for code they leave out. */
const saysSo =
  /\b(existing|rest|remain(?:s|ing|der)?|unchanged|omitted|same|other|previous|keep|kept|snip|truncated|as before|more (?:code|lines)|code here|your code)\b/i;
const saysSoAlone =
  /^\(?(?:(?:the )?(?:rest|remainder) of|remaining|existing|unchanged|(?:all )?other)\b.{0,60}\b(?:code|file|class|functions?|methods?|imports?|implementation|logic|lines|unchanged|same|here)\b|^\(?(?:unchanged|same as (?:before|above)|no changes?(?: here)?|snip)\b\W*$/i;

/**
 * Returns whether a line of code stands for omitted lines, such as `// ... existing code ...`, in the comment syntax of
 * any language. `before` is the line before it, if any.
 */
export function isElision(line: string, before = ''): boolean {
  const text = line.trim();
  // In Python, dots after a colon are a function body.
  if (onlyDots.test(text)) return !before.trimEnd().endsWith(':');
  const words = comment.exec(text)?.[1] ?? /^[[<(]\s*(.*?)\s*[\])>]$/.exec(text)?.[1];
  if (words === undefined) return false;
  if (onlyDots.test(words) || betweenDots.test(words)) return true;
  return (besideDots.test(words) && saysSo.test(words)) || (comment.test(text) && saysSoAlone.test(words));
}

/** Returns whether a line contains code and an omission mark within it. */
export function holdsElision(line: string): boolean {
  if (/\{\s*(?:\/\*+\s*)?(?:\.{3}|…)(?:\s*\*+\/)?\s*\}/.test(line)) return true;
  const [, words = ''] = /(?:\/\*|\/\/|<!--|\s#)\s*((?:\.{3}|…).*)$/.exec(line.trim()) ?? [];
  return words !== '' && saysSo.test(words);
}
