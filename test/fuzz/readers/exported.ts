import { globSync, readFileSync } from 'node:fs';

const sources = new URL('../../../src/', import.meta.url);
/** What reads text of a workspace, service, page, note, log or policy. The rooms `platform` and `features` need VS Code. */
const folders = [
  'client/answer',
  'client/*.ts',
  'edits',
  'evidence',
  'gate',
  'policy',
  'protocol',
  'review',
  'send',
  'session',
  'store/audit',
  'store/conversations',
  'util/text',
  'webview/*.ts',
  'webview/composer',
  'webview/find',
  'webview/markdown',
];
/** Programs for a command line, and what asks git: they read files, which others then read as text. Only cosign reads its own. */
const programs = /^evidence\/(cli\/(?!cosign\.)|provenance\/repository\/)/;

/** `file: name` of each exported function of these folders with a text or bytes as a parameter. */
export function exportedReaders(): readonly string[] {
  return folders.flatMap((folder) =>
    globSync(folder.endsWith('.ts') ? folder : `${folder}/**/*.ts`, { cwd: sources.pathname })
      .filter((file) => !programs.test(file))
      .sort()
      .flatMap((file) => readersIn(readFileSync(new URL(file, sources), 'utf8')).map((name) => `${file}: ${name}`)),
  );
}

/** The functions of a source, which are declared at the beginning of a line. */
export function readersIn(source: string): readonly string[] {
  const names: string[] = [];
  for (const { 0: whole, 1: name = '', index } of source.matchAll(
    /^export (?:async )?function\*? (\w+)(?:<.*>)?\(/gm,
  )) {
    const parameters = untilClosed(source, index + whole.length);
    if (/:\s*(?:readonly )?string\b|Uint8Array|\bBuffer\b|Iterable<string>/.test(parameters)) names.push(name);
  }
  return names;
}

function untilClosed(source: string, start: number): string {
  let depth = 1;
  let at = start;
  for (; depth > 0 && at < source.length; at += 1) {
    const letter = source[at] ?? '';
    if ('({['.includes(letter)) depth += 1;
    else if (')}]'.includes(letter)) depth -= 1;
  }
  return source.slice(start, at - 1);
}
