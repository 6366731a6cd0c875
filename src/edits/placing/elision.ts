import { isBlank } from '../text/lines.ts';

/** The maximum length of a mark in characters; longer lines are code. */
const maxLength = 160;
const opening = String.raw`(?:\/\/+|#+|--+|;+|%+|\/\*+|\*+|<!--+|\{\s*\/\*+|\(\*+|'|"""|'''|rem\b)`;
const closing = String.raw`(?:\*+\/\s*\}|\*+\/|--+>|\*+\)|"""|''')`;
const comment = new RegExp(String.raw`^${opening}\s*(.*?)\s*${closing}?$`, 'i');
const dots = String.raw`(?:\.{3,}|…)`;
const onlyDots = new RegExp(`^${dots}$`);
const betweenDots = new RegExp(`^${dots}.*${dots}$`);
const besideDots = new RegExp(`^${dots}(?:\\s|$)|${dots}$`);
/** Phrases that models use for omitted code. */
const mentionsOmission =
  /\b(existing|rest|remain(?:s|ing|der)?|unchanged|omitted|same|others?|previous|keep|kept|snip|truncated|elided|as before|more (?:code|lines)|code here|your code|bestehend\w*|unverändert|gekürzt|übrige\w*|weitere\w*)\b/i;
const codeNouns =
  'code|file|class|body|functions?|methods?|members?|fields?|props|properties|imports?|implementation|logic|lines|statements?|steps|jobs|keys|values|entries|columns|tables|routes|handlers?|tests?|cases|checks?|validation|content|setup|definitions?|types?|parts?|constructors?|helpers?|unchanged|same|here|as before|as is';
const isOmissionPhrase = new RegExp(
  String.raw`^[-=([ ]*(?:the )?(?:rest|remainder) of (?:[\w'-]+ ?){1,5}\W*$|^[-=([ ]*(?:(?:the )?(?:rest|remainder) of|rest|remaining|existing|unchanged|previous|(?:all )?(?:the )?other)\b.{0,60}\b(?:${codeNouns})\b[^;{}]*$|^[-=([ ]*(?:unchanged|same as (?:before|above|in the original)|no changes?(?: here)?|snip|etc|(?:code |rest |lines )?omitted(?: for brevity)?|(?:rest|alles|der rest).{0,30} (?:bleibt|unverändert).{0,20}|(?:stays|remains?) (?:the same|unchanged|as (?:is|before)))\b\W*$`,
  'i',
);

const isVerb = '(?:is|are|stays?|remains?|kept|bleib(?:t|en))';
/** A note that something stays as it is: `# worker stays the same`. */
const isKeptNote = new RegExp(
  String.raw`^(?!.*\b(?:if|that|when|must|should|because|so|returns?|ensure|until|while|not)\b)(?:[^;{}=]{1,80}?[\s:(–—-](?:(?:${isVerb} )?(?:unchanged|untouched|unverändert)|${isVerb} (?:the same|as (?:is|before)|gleich)|same as (?:before|above)|no changes?)|(?:keep|leave)\b[^;{}=]{1,60} (?:as(?:[- ]is| it is| they are| before)|unchanged|alone)|(?:keep |leave )?(?:the |your |all )*(?:existing|remaining) [\w -]{1,40})\W*$`,
  'i',
);

/** Whether a comment at this place is not about the code below it: it has no such code. */
function standsAlone(before: string, after: string): boolean {
  const isInside = /[({[>]\s*$/.test(before) && !/^[\s}]*(?:if|else|catch|for|while)\b/.test(before);
  return isBlank(after) || (/^\s*(?:[)\]}]|<\/)/.test(after) && (isBlank(before) || isInside));
}

/**
 * Whether a line of code represents omitted lines, such as `// ... existing code ...`, in the comment syntax of any
 * language. `before` is the line before it, if any. With the line `after` it, a note that stands alone is one, too.
 */
export function isElision(line: string, before = '', after?: string): boolean {
  const text = line.trim();
  if (text.length > maxLength) return false;
  // In Python, dots after a colon are a function body.
  if (onlyDots.test(text)) return !before.trimEnd().endsWith(':');
  const words = comment.exec(text)?.[1] ?? /^[[<(]\s*(.*?)\s*[\])>]$/.exec(text)?.[1];
  if (words === undefined) return false;
  if (onlyDots.test(words) || betweenDots.test(words)) return true;
  // Dots and a few words: `// ... imports`. Three dots directly before a name are code that is commented out.
  if (
    comment.test(text) &&
    /^(?:\.{3,}|…)(?: +\(?\p{L}|\(?\p{L}+ +\p{L})/u.test(words) &&
    !/[;{}=]/.test(words) &&
    words.length < 80
  )
    return true;
  if (after !== undefined && !text.startsWith('##') && isKeptNote.test(words) && standsAlone(before, after))
    return true;
  return (
    (besideDots.test(words) && mentionsOmission.test(words)) || (comment.test(text) && isOmissionPhrase.test(words))
  );
}

/** Whether a line contains code and an omission mark within it. */
export function holdsElision(line: string): boolean {
  if (line.length > 4 * maxLength) return false;
  if (/\{\s*(?:\/\*+\s*)?(?:\.{3}|…)(?:\s*\*+\/)?\s*\}/.test(line)) return true;
  const [, words = ''] = /(?:\/\*|\/\/|<!--|\s#)\s*((?:\.{3}|…).*)$/.exec(line.trim()) ?? [];
  return words !== '' && mentionsOmission.test(words);
}

/** The line that represents omitted lines while an answer is merged. */
export const omitted = '__svc_omitted__;';

export function isOmitted(line: string): boolean {
  return line.trim().replace(/,$/, '') === omitted;
}
