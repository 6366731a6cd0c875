import { type Call, edit, foundIn, linesOf, type Move, read, search, type Task } from '../task.ts';

export type Sources = Readonly<Record<string, string>>;

/** What must become of a file of the package, made from its text before. Throws if it would not change. */
export function changed(
  sources: Sources,
  path: string,
  change: (text: string) => string,
): Readonly<Record<string, string>> {
  const before = textOf(sources, path);
  const after = change(before);
  if (after === before) throw new Error(`${path} does not change: the package is another one.`);
  return { [path]: after };
}

export function textOf(sources: Sources, path: string): string {
  const text = sources[path];
  if (text === undefined) throw new Error(`The package has no file ${path}.`);
  return text;
}

/** A task in all sources of a package. */
export function inPackage(sources: Sources, task: Omit<Task, 'files'>): Task {
  return { files: sources, ...task };
}

/** Searches for a text, and returns the lines of each file around the places, as a model reads only what it needs. */
export function* readAround(query: string, lines = 3): Generator<Move, ReadonlyMap<string, string>, readonly string[]> {
  const [found] = yield [search(query)];
  const paths = foundIn(found);
  const numbers = (path: string): readonly number[] =>
    (found ?? '').split('\n').flatMap((line) => {
      const [, before, number] = /^(\S+?):(\d+): /.exec(line) ?? [];
      return before?.endsWith(path) ? Number(number) : [];
    });
  const calls = paths.map((path): Call => {
    const at = numbers(path);
    return read(path, Math.max(1, Math.min(...at) - lines), Math.max(...at) + lines);
  });
  const results = calls.length === 0 ? [] : yield calls;
  return new Map(paths.map((path, at) => [path, results[at] ?? '']));
}

/** Edits the only line that has a text, as a model copies it from what it has read. */
export function editLine(
  path: string,
  result: string | undefined,
  text: string,
  change: (line: string) => string,
): Call {
  const lines = linesOf(result).filter((line) => line.includes(text));
  const [line] = lines;
  if (line === undefined || lines.length > 1)
    throw new Error(`${lines.length} lines of ${path} have ${text}: ${result}`);
  return edit(path, line, change(line));
}
