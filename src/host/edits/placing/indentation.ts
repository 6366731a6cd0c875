/** How a text is indented: by tabs, or by so many spaces. */
export interface Indentation {
  readonly usesTabs: boolean;
  readonly size: number;
}

/** How the lines are indented, by what most of them do; undefined where none is. */
export function indentationOf(lines: readonly string[]): Indentation | undefined {
  let tabs = 0;
  const sizes = new Map<number, number>();
  let before = 0;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const spaces = /^ */.exec(line)?.[0].length ?? 0;
    if (line.startsWith('\t')) tabs += 1;
    // How far a line is in beyond the one before it; a single space is the star of a comment.
    else if (spaces > before + 1) sizes.set(spaces - before, (sizes.get(spaces - before) ?? 0) + 1);
    before = spaces;
  }
  const [size, count] = [...sizes].sort((a, b) => b[1] - a[1])[0] ?? [0, 0];
  if (tabs === 0 && count === 0) return undefined;
  return tabs >= count ? { usesTabs: true, size: 4 } : { usesTabs: false, size };
}

/** The lines of code with tabs instead of spaces, or the other way round, as the text has it that they go into. */
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

/** What all lines that are not blank begin with. */
export function commonIndent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0] ?? '');
  const [first = '', ...others] = indents;
  let length = first.length;
  for (const indent of others) while (!indent.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/** The lines moved so that `indent` is what they have in common. */
export function movedTo(lines: readonly string[], indent: string): readonly string[] {
  const own = commonIndent(lines).length;
  return lines.map((line) => (line.trim() === '' ? '' : indent + line.slice(own)));
}
