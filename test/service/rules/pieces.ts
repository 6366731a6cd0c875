interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly now: readonly string[];
}

/** A changed code as search and replace blocks, each with so many lines around it that its lines occur only once. */
export function inPieces(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const cores: Hunk[] = [];
  for (const hunk of hunks(old, now)) {
    let core = hunk;
    for (let last = cores.at(-1); last !== undefined; last = cores.at(-1)) {
      if (grown(old, last).end <= grown(old, core).start) break;
      cores.pop();
      core = {
        start: last.start,
        end: core.end,
        now: [...last.now, ...old.slice(last.end, core.start), ...core.now],
      };
    }
    cores.push(core);
  }
  return cores
    .map((core) => grown(old, core))
    .map(({ start, end, now: lines }) =>
      ['<<<<<<< SEARCH', ...old.slice(start, end), '=======', ...lines, '>>>>>>> REPLACE'].join('\n'),
    )
    .join('\n');
}

/** Lines that differ: the rules change a line, or add some before it. */
function hunks(old: readonly string[], now: readonly string[]): readonly Hunk[] {
  const found: Hunk[] = [];
  let at = 0;
  for (let line = 0; line < old.length; line += 1) {
    if (old[line] === now[at]) {
      at += 1;
      continue;
    }
    const next = now.indexOf(old[line] ?? '', at);
    const isAdded = next !== -1 && next - at < 10;
    found.push({ start: line, end: line + 1, now: now.slice(at, isAdded ? next + 1 : at + 1) });
    at = isAdded ? next + 1 : at + 1;
  }
  return found;
}

function grown(old: readonly string[], hunk: Hunk): Hunk {
  let { start, end, now } = hunk;
  while (count(old, start, end) > 1 && (start > 0 || end < old.length)) {
    if (start > 0) {
      start -= 1;
      now = [old[start] ?? '', ...now];
    }
    if (end < old.length) {
      now = [...now, old[end] ?? ''];
      end += 1;
    }
  }
  return { start, end, now };
}

function count(lines: readonly string[], start: number, end: number): number {
  const isHere = (at: number): boolean => {
    for (let offset = 0; start + offset < end; offset += 1)
      if (lines[at + offset] !== lines[start + offset]) return false;
    return true;
  };
  return lines.filter((_, at) => at + end - start <= lines.length && isHere(at)).length;
}
