/** The text after the hunks of a unified diff, as `patch` makes it. Throws if a line of them is not where they say. */
export function patched(text: string, hunks: string): string {
  const old = text.split(/(?<=\n)/);
  const made: string[] = [];
  let at = 0;
  const lines = hunks.split(/(?<=\n)/);
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('\\')) continue;
    const header = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@\n$/.exec(line);
    if (header !== null) {
      const start = Number(header[1]) - (header[2] === '0' ? 0 : 1);
      made.push(...old.slice(at, start));
      at = start;
      continue;
    }
    const isOpen = lines[index + 1]?.startsWith('\\') === true;
    const content = isOpen ? line.slice(1, -1) : line.slice(1);
    if (line[0] !== '+') {
      if (old[at] !== content) throw new Error(`line ${at + 1} is not ${JSON.stringify(content)}`);
      at += 1;
    }
    if (line[0] !== '-') made.push(content);
  }
  return [...made, ...old.slice(at)].join('');
}
