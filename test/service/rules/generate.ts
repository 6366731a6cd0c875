import type { Format } from './format.ts';
import type { CodeBlock } from './prompt.ts';
import { collections } from './snippetsCollections.ts';
import { numbers } from './snippetsNumbers.ts';
import { texts } from './snippetsTexts.ts';

/** A function the rules can write. */
export interface Snippet {
  /** The pattern of a request for it. */
  readonly asked: RegExp;
  /** TypeScript in which «...» contains the parts that JavaScript lacks. */
  readonly ts: string;
  readonly py: string;
}

type Language = 'typescript' | 'javascript' | 'python' | 'other';

const snippets: readonly Snippet[] = [...numbers, ...texts, ...collections];
const note = 'From the rules of the local service, not from a language model.';

const languageNames: readonly (readonly [Language, RegExp])[] = [
  ['typescript', /\btypescript(react)?\b|\bts\b/i],
  ['javascript', /\bjavascript(react)?\b|\bjs\b|\bnode\b/i],
  ['python', /\bpython\b|\bpy\b/i],
  [
    'other',
    /\b(java|golang|go code|rust|csharp|cpp|ruby|php|kotlin|swift|sql|shellscript|bash)\b|\bc#|\bc\+\+|\bin go\b/i,
  ],
];

export function asksForCode(words: string): boolean {
  return (
    (/\b(write|create|generate|implement|code|program|give me|add an?)\b/i.test(words) &&
      /\b(function|code|method|class|script|program|\w+\(\))/i.test(words)) ||
    (/\b(write|create|generate|implement)\b/i.test(words) && snippetFor(words) !== undefined)
  );
}

/** The requested function, or else a skeleton made from the request, in a fence if the format has one. */
export function generateAnswer(words: string, blocks: readonly CodeBlock[], { isFenced }: Format): string {
  const language = languageOf(words, blocks);
  const snippet = language === 'other' ? undefined : snippetFor(words);
  const mark = language === 'python' ? '#' : '//';
  const body = snippet === undefined ? skeleton(words, language) : inLanguage(snippet, language);
  const code = `${mark} ${note}\n${body}`;
  if (!isFenced) return `${code}\n`;
  // A file named in the request is named at the fence, as models do when asked for it.
  const file = /\b(?:in|into|to|as)\s+`?((?:[\w.-]+\/)*[\w.-]+\.\w+)`?/.exec(words)?.[1];
  const info = `${language === 'other' ? 'text' : language}${file === undefined ? '' : ` ${file}`}`;
  return `\`\`\`${info}\n${code}\n\`\`\`\n`;
}

/** The function for a name such as `addNumbers`, from its first line on, or undefined if none is known. */
export function snippetNamed(name: string, language: 'typescript' | 'python'): string | undefined {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  const snippet = snippetFor(words);
  return snippet === undefined ? undefined : inLanguage(snippet, language);
}

/** The snippet whose keywords come first. */
function snippetFor(words: string): Snippet | undefined {
  const found = snippets
    .map((snippet) => ({ snippet, at: words.search(snippet.asked) }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at);
  return found[0]?.snippet;
}

function languageOf(words: string, blocks: readonly CodeBlock[]): Language {
  const text = words === '' ? (blocks.at(-1)?.language ?? '') : words;
  const named = languageNames
    .map(([language, pattern]) => ({ language, at: text.search(pattern) }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at);
  return named[0]?.language ?? 'typescript';
}

function inLanguage({ ts, py }: Snippet, language: Language): string {
  if (language === 'python') return py.trim();
  return ts.replace(/«([^»]*)»/g, language === 'javascript' ? '' : '$1').trim();
}

/** A documented function without a body: the request verbatim, and a name made of its relevant words. */
function skeleton(words: string, language: Language): string {
  const wish = wishOf(words);
  if (language === 'other') return `// To do: ${wish}`;
  const parts = (wish.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => !fillers.has(word)).slice(0, 4);
  const names = parts.length === 0 ? ['to', 'do'] : parts;
  if (language === 'python')
    return `def ${names.join('_')}():\n    """To do: ${wish}"""\n    raise NotImplementedError`;
  const name = names.map((word, index) => (index === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`)).join('');
  const result = language === 'typescript' ? ': never' : '';
  return `/** To do: ${wish} */\nexport function ${name}()${result} {\n  throw new Error('Not implemented.');\n}`;
}

const fillers = new Set(
  'a an the that which to in of for and or with write create generate implement add please me function code method typescript javascript python ts js py it is does do following'.split(
    ' ',
  ),
);

/** One line: the first paragraph that is not about the format of the answer. */
function wishOf(words: string): string {
  const isForm = /^(answer|respond|reply|write \w+ code that does)\b/i;
  const line = words.split(/\n+/).find((each) => each.trim() !== '' && !isForm.test(each.trim())) ?? words;
  return line
    .replace(/\*\/|"""/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 160);
}
