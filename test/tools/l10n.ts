// Compares the texts of the source with the German bundle, and the two files of texts for package.json. `npm run l10n`
// lists missing and unused texts and misspelled German words, and exits with 1 if there are any.
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { type GermanText, spellingProblems } from './germanSpelling.ts';
import { type FoundTexts, textsOf } from './l10nTexts.ts';

export type Texts = Readonly<Record<string, string>>;

/** Every text that the source passes to vscode.l10n.t. */
export function sourceTexts(): FoundTexts {
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file: `src/${file}`, source: readFileSync(`src/${file}`, 'utf8') }))
    .filter(({ source }) => /l10n|t: Translate/.test(source))
    .map(({ file, source }) => textsOf(source, file));
  return { texts: found.flatMap(({ texts }) => texts), problems: found.flatMap(({ problems }) => problems) };
}

export function readTexts(file: string): Texts {
  return JSON.parse(readFileSync(file, 'utf8'));
}

export const germanBundle = 'l10n/bundle.l10n.de.json';
export const englishManifest = 'package.nls.json';
export const germanManifest = 'package.nls.de.json';

/** The missing and the unused texts of a translation. */
export function difference(wanted: Iterable<string>, translated: Texts): readonly string[] {
  const unique = new Set(wanted);
  return [
    ...[...unique].filter((text) => !(text in translated)).map((text) => `missing: ${JSON.stringify(text)}`),
    ...Object.keys(translated)
      .filter((text) => !unique.has(text))
      .map((text) => `obsolete: ${JSON.stringify(text)}`),
  ];
}

/** All German texts of the product. */
export function germanTexts(): readonly GermanText[] {
  const tables = [germanBundle, germanManifest].flatMap((file) =>
    Object.entries(readTexts(file)).map(([key, text]) => ({ at: `${file} ${JSON.stringify(key)}`, text })),
  );
  const pages = globSync('media/walkthrough/*.nls.de.md').map((at) => ({ at, text: readFileSync(at, 'utf8') }));
  return [...tables, ...pages];
}

if (import.meta.main) {
  const { texts, problems } = sourceTexts();
  const lines = [
    ...problems,
    ...difference(
      texts.map(({ text }) => text),
      readTexts(germanBundle),
    ).map((line) => `${germanBundle} ${line}`),
    ...difference(Object.keys(readTexts(englishManifest)), readTexts(germanManifest)).map(
      (line) => `${germanManifest} ${line}`,
    ),
    ...(await spellingProblems(germanTexts())),
  ];
  console.log(
    lines.length === 0 ? 'Every text has its German, and its words are spelled correctly.' : lines.join('\n'),
  );
  if (lines.length > 0) process.exitCode = 1;
}
