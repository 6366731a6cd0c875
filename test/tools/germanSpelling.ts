// Finds misspelled words in the German texts, with Hunspell, which knows how German joins words. Words that its dictionary lacks
// are in germanWords.txt. `npm run l10n` lists what is found.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadModule } from 'hunspell-asm';

/** A German text, and where it is. */
export interface GermanText {
  readonly at: string;
  readonly text: string;
}

/** Code, links, names of settings and files, variables, placeholders and icons: not words of a language. */
const notWords = [
  ...[/```(?!,)[\s\S]*?```/g, /`[^`]*`/g, /\(command:[^)]*\)/g, /https?:\S+/g, /\{\d+\}/g, /\$\([\w-]+\)/g],
  ...[/<[^>]*>/g, /"[\w$=]*"/g, /[\p{L}\w*-]+(?:[._/=][\p{L}\w*-]+)+/gu, /(?<!\p{L})[a-z]+[A-Z]\w*/gu],
];

/** The words of a text, each part of `Audit-Protokoll` on its own. */
export function wordsIn(text: string): readonly string[] {
  const plain = notWords.reduce((rest, pattern) => rest.replace(pattern, ' '), text);
  // Abbreviations in capital letters, and single letters, are no words of a dictionary.
  return (plain.match(/\p{L}+/gu) ?? []).filter((word) => !/^(?:[A-Z]{2,}|.)$/u.test(word));
}

export interface Speller {
  isCorrect(word: string): boolean;
  /** The lines of germanWords.txt that no call has needed. */
  unused(): readonly string[];
}

/**
 * `words` has one word per line, and beginnings of joined words, such as `Commit~` for `Commitnachricht`: the rest is a noun of
 * the dictionary.
 */
export async function makeSpeller(words: readonly string[]): Promise<Speller> {
  const path = createRequire(import.meta.url).resolve('dictionary-de');
  const read = (end: string): Uint8Array => readFileSync(path.replace(/index\.js$/, end));
  const factory = await loadModule();
  const hunspell = factory.create(
    factory.mountBuffer(read('index.aff'), 'de.aff'),
    factory.mountBuffer(read('index.dic'), 'de.dic'),
  );
  const needed = new Set<string>();
  const isListed = (word: string): boolean => {
    if (words.includes(word)) needed.add(word);
    return needed.has(word);
  };
  const isJoined = (word: string): boolean =>
    words.some((line) => {
      const start = line.slice(0, -1);
      if (!line.endsWith('~') || !word.startsWith(start) || word.length < start.length + 3) return false;
      const rest = word.slice(start.length);
      const noun = rest.charAt(0).toUpperCase() + rest.slice(1);
      if (!/^\p{Ll}/u.test(rest) || !(hunspell.spell(noun) || words.includes(noun))) return false;
      needed.add(line);
      return true;
    });
  return {
    isCorrect: (word) => hunspell.spell(word) || isListed(word) || isJoined(word),
    unused: () => words.filter((word) => !needed.has(word)),
  };
}

export function ownWords(): readonly string[] {
  return readFileSync('test/tools/germanWords.txt', 'utf8').split('\n').filter(Boolean);
}

/** Returns the misspelled words of the German texts, one line each. */
export async function spellingProblems(texts: readonly GermanText[], words = ownWords()): Promise<readonly string[]> {
  const speller = await makeSpeller(words);
  const wrong = texts.flatMap(({ at, text }) =>
    [...new Set(wordsIn(text))]
      .filter((word) => !speller.isCorrect(word))
      .map((word) => `${at}: “${word}” is not German`),
  );
  return [...wrong, ...speller.unused().map((word) => `test/tools/germanWords.txt: no text needs “${word}”`)];
}
