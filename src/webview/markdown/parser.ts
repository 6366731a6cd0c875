import MarkdownIt, { type Env, type Token } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import footnotes from 'markdown-it-footnote';
import { type DocumentEnv, documents } from './syntax/documents.ts';
import { type FormulaEnv, formulas } from './syntax/formulas.ts';
import { tags } from './syntax/tags.ts';

export type { Token };

const parser = new MarkdownIt({ html: false, linkify: true });
// Only explicit addresses become links: in an answer about code, `README.md` and `a.b` are files and fields.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// CommonMark looks for spaces around emphasis, which Chinese and Japanese do not have.
parser.use(cjkFriendly);
parser.use(footnotes);
// Footnotes stay where they are written: moving them would change text that is already shown.
parser.core.ruler.disable('footnote_tail');
parser.inline.ruler.disable('footnote_inline');
parser.use(formulas);
parser.use(tags);
parser.use(documents);

interface Parsed {
  readonly tokens: readonly Token[];
  /**
   * Whether the text has definitions of links or footnotes, which affect text before and after them. The streaming code must know
   * this.
   */
  readonly hasReferences: boolean;
  /** The line at which a display formula without an end begins: further text may change every block from there on. */
  readonly openLine: number | undefined;
}

/**
 * Parses Markdown with tables, strikethrough, links, footnotes and formulas; HTML in it stays text. Without `isWhole`, the end of
 * the text may follow later.
 */
export function parse(markdown: string, isWhole = true): Parsed {
  const first: Env & FormulaEnv & DocumentEnv = {};
  const tokensOf = (env: typeof first) => ({ env, tokens: parser.parse(markdown, env) });
  const read = tokensOf(first);
  const { env, tokens } = isWhole && first.isOpenDocument ? tokensOf({ isPlain: true }) : read;
  const hasReferences = Object.keys(env.references ?? {}).length > 0 || env.footnotes !== undefined;
  return { tokens, hasReferences, openLine: env.openFormula };
}
