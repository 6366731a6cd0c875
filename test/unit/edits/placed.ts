import { placeAnswer, type Wanted } from '../../../src/edits/place.ts';
import { readAnswer } from '../../../src/edits/reading/answer.ts';
import { indentOf } from '../../../src/edits/text/lines.ts';

/**
 * A file in which `»` and `«`, each on a line of its own, enclose the lines of the place. `▮` on a line of its own is
 * the line where code is inserted.
 */
export function marked(text: string): { readonly lines: readonly string[]; readonly places: Wanted['places'] } {
  const lines: string[] = [];
  const places: { start: number; end: number; indent: string }[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const mark = line.trim();
    if (mark === '»') start = lines.length;
    else if (mark === '«') places.push({ start, end: lines.length, indent: '' });
    else if (mark === '▮') {
      places.push({ start: lines.length, end: lines.length + 1, indent: indentOf(line) });
      lines.push(indentOf(line));
    } else lines.push(line);
  }
  const indented = places.map((place) => {
    const indents = lines
      .slice(place.start, place.end)
      .filter((line) => line.trim() !== '')
      .map(indentOf);
    const shortest = indents.toSorted((a, b) => a.length - b.length)[0] ?? place.indent;
    return { ...place, indent: shortest };
  });
  return { lines, places: indented };
}

/** The file with the answer in its place, or why it has none. */
export function placed(languageId: string, text: string, answer: string, more: Partial<Wanted> = {}): string {
  const { lines, places } = marked(text);
  const mode = more.mode ?? (text.includes('▮') ? 'insert' : places.length > 0 ? 'edit' : 'apply');
  const all = places.length > 0 ? places : [{ start: 0, end: lines.length, indent: '' }];
  const found = placeAnswer(readAnswer(answer), { lines, languageId, places: all, ...more, mode });
  if (found.is !== 'edit') return found.is;
  if (found.mayOmit !== undefined) return `asks about ${found.mayOmit.start + 1} to ${found.mayOmit.end}`;
  return found.lines.join('\n');
}

/** Code in a fence. */
export function fenced(code: string, info = ''): string {
  return `\`\`\`${info}\n${code.replace(/\n$/, '')}\n\`\`\`\n`;
}
