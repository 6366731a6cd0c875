/** The indentation of a text: tabs, or a number of spaces. */
export interface Indentation {
  readonly usesTabs: boolean;
  readonly size: number;
}

/** The indentation that most lines use; undefined where no line is indented. */
export function indentationOf(lines: readonly string[]): Indentation | undefined {
  let tabs = 0;
  const sizes = new Map<number, number>();
  let before = 0;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const spaces = /^ */.exec(line)?.[0].length ?? 0;
    if (line.startsWith('\t')) tabs += 1;
    // The indentation relative to the line before. A single space is the star of a block comment.
    else if (spaces > before + 1) sizes.set(spaces - before, (sizes.get(spaces - before) ?? 0) + 1);
    before = spaces;
  }
  const [size, count] = [...sizes].sort((a, b) => b[1] - a[1])[0] ?? [0, 0];
  if (tabs === 0 && count === 0) return undefined;
  return tabs >= count ? { usesTabs: true, size: 4 } : { usesTabs: false, size };
}

/** Converts the code's indentation between tabs and spaces to that of the text it is inserted into. */
export function indentedAs(code: readonly string[], wanted: Indentation | undefined): readonly string[] {
  const own = indentationOf(code);
  if (own === undefined || wanted === undefined || own.usesTabs === wanted.usesTabs) return code;
  return code.map((line) => {
    const blank = /^[ \t]*/.exec(line)?.[0] ?? '';
    const rest = line.slice(blank.length);
    if (!wanted.usesTabs) return blank.replaceAll('\t', ' '.repeat(wanted.size)) + rest;
    return blank.replaceAll(' '.repeat(own.size), '\t') + rest;
  });
}

/** The common leading whitespace of all lines that are not blank. */
export function commonIndent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0] ?? '');
  const [first = '', ...others] = indents;
  let length = first.length;
  for (const indent of others) while (!indent.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/** Shifts the lines so that `indent` is their common indentation. */
export function movedTo(lines: readonly string[], indent: string): readonly string[] {
  const own = commonIndent(lines).length;
  return lines.map((line) => (line.trim() === '' ? '' : indent + line.slice(own)));
}
