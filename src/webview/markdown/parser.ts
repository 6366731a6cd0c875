import MarkdownIt, { type Env, type Token } from 'markdown-it';

export type { Token };

const parser = new MarkdownIt({ html: false, linkify: true });
// Only explicit addresses become links: in an answer about code, `README.md` and `a.b` are files and fields.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

interface Parsed {
  readonly tokens: readonly Token[];
  /** Link reference definitions act on text before and after them, which streaming has to know. */
  readonly hasReferences: boolean;
}

/** Markdown with tables, strikethrough and links; HTML in it stays text. */
export function parse(markdown: string): Parsed {
  const env: Env = {};
  const tokens = parser.parse(markdown, env);
  return { tokens, hasReferences: Object.keys(env.references ?? {}).length > 0 };
}
