import type { MarkdownIt, StateInline, Token } from 'markdown-it';

/** The tag of a line break, also in a table cell. */
const lineBreak = /^<br\s{0,9}\/?>/i;
/** The tags of a part that can be folded. They are recognized only where models write them: at the edges of a line. */
const detailsStart = /^<details(?:\s[^<>\n]{0,200})?>[ \t]*(?=\n|$|<summary>)\n?/i;
const detailsEnd = /^<\/details>[ \t]*(?=\n|$)/i;
const summary = /^<summary>([^\n]{1,500}?)<\/summary>[ \t]*/i;

/**
 * The tags that models write in Markdown. Nothing becomes HTML: `<details>` shows its content, with its summary as a title,
 * and `<br>` breaks a line. Any other tag stays text.
 */
export function tags(parser: MarkdownIt): void {
  parser.inline.ruler.before('autolink', 'tags', tag);
}

function tag(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src[pos] !== '<') return false;
  const text = src.slice(pos, Math.min(posMax, pos + 600));
  const isFirst = /(?:^|\n)[ \t]*$/.test(src.slice(Math.max(0, pos - 40), pos));
  const isAfterStart = /<details[^<>\n]{0,200}>[ \t]*$/i.test(src.slice(Math.max(0, pos - 240), pos));
  const broken = lineBreak.exec(text);
  const edge = isFirst ? (detailsStart.exec(text) ?? detailsEnd.exec(text)) : detailsEnd.exec(text);
  const title = isFirst || isAfterStart ? summary.exec(text) : null;
  const [found] = broken ?? edge ?? title ?? [];
  if (found === undefined) return false;
  if (!silent && broken !== null) state.push('hardbreak', 'br', 0);
  if (!silent && title !== null) addTitle(state, title[1] ?? '', src.slice(pos + found.length, posMax).trim() !== '');
  state.pos += found.length;
  return true;
}

function addTitle(state: StateInline, text: string, hasMore: boolean): void {
  state.push('strong_open', 'strong', 1);
  const inner: Token[] = [];
  state.md.inline.parse(text.replace(/<\/?(?:b|strong|h[1-6])>/gi, ''), state.md, state.env, inner);
  for (const token of inner) {
    state.tokens.push(token);
    state.tokens_meta.push(undefined);
  }
  state.push('strong_close', 'strong', -1);
  if (hasMore) state.push('hardbreak', 'br', 0);
}
