import { linkTarget } from '../../protocol/linkTarget.ts';
import { withReordering } from '../text.ts';
import type { Token } from './parser.ts';

/** The only elements that an answer can become, regardless of the Markdown. */
type Tag =
  | 'p'
  | 'h3'
  | 'h4'
  | 'h5'
  | 'h6'
  | 'ul'
  | 'ol'
  | 'li'
  | 'blockquote'
  | 'hr'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'
  | 'strong'
  | 'em'
  | 's'
  | 'code'
  | 'br'
  | 'sup'
  | 'div';

/** A rendered answer, independent of the DOM. */
export type Tree =
  | string
  | {
      readonly tag: Tag;
      readonly children: readonly Tree[];
      readonly start?: number;
      readonly align?: string;
      readonly isTask?: true;
      readonly isFootnote?: true;
    }
  | { readonly tag: 'a'; readonly href: string; readonly children: readonly Tree[] }
  | { readonly tag: 'code-block'; readonly info: string; readonly code: string }
  | {
      readonly tag: 'formula';
      /**
       * The source text, including the delimiters of the formula, and a punctuation mark that follows it on a line of its own.
       */
      readonly written: string;
      readonly tex: string;
      readonly isDisplay: boolean;
      readonly after?: string;
    }
  | { readonly tag: 'task-box'; readonly isDone: boolean };

const tags: Readonly<Record<string, Tag>> = {
  paragraph: 'p',
  bullet_list: 'ul',
  ordered_list: 'ol',
  list_item: 'li',
  blockquote: 'blockquote',
  hr: 'hr',
  table: 'table',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
  strong: 'strong',
  em: 'em',
  s: 's',
  hardbreak: 'br',
};

/** The headings of an answer start below the headings of the page: the transcript has a level-two heading for each turn. */
const headings: readonly Tag[] = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'];

/** Converts tokens to a tree of allowed elements; links without a safe destination become their text. */
export function toTree(tokens: readonly Token[]): readonly Tree[] {
  const root: Tree[] = [];
  const open: Tree[][] = [root];
  for (const token of tokens) {
    const siblings = open.at(-1) ?? root;
    if (token.nesting === -1) {
      open.pop();
      if (token.type === 'list_item_close') markTask(open.at(-1) ?? root);
    } else if (token.nesting === 1) {
      const children: Tree[] = [];
      const node = element(token, children);
      // The paragraphs of a tight list are hidden: their children belong to the item.
      open.push(node === undefined ? siblings : children);
      if (node !== undefined) siblings.push(node);
    } else {
      for (const one of leaf(token)) siblings.push(one);
    }
  }
  return root;
}

function element(token: Token, children: readonly Tree[]): Tree | undefined {
  if (token.hidden) return undefined;
  if (token.type === 'link_open') {
    const href = linkTarget(String(token.attrGet('href') ?? ''))?.href;
    return href === undefined ? undefined : { tag: 'a', href, children };
  }
  if (token.type === 'footnote_reference_open') {
    return { tag: 'div', isFootnote: true, children: [footnoteMark(token), { tag: 'div', children }] };
  }
  if (token.type === 'heading_open') return { tag: headings[Number(token.tag.slice(1)) - 1] ?? 'h6', children };
  const tag = tags[token.type.replace(/_open$/, '')];
  if (tag === undefined) return undefined;
  const start = Number(token.attrGet('start') ?? 1);
  const align = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
  return { tag, children, ...(start === 1 ? {} : { start }), ...(align === undefined ? {} : { align }) };
}

function leaf(token: Token): readonly Tree[] {
  switch (token.type) {
    case 'inline':
      return withPunctuation(toTree(token.children ?? []));
    case 'softbreak':
      return ['\n'];
    case 'code_inline':
      return [{ tag: 'code', children: [withReordering(token.content)] }];
    case 'fence':
    case 'code_block':
      return [{ tag: 'code-block', info: token.info, code: token.content }];
    case 'image':
      return [image(token)];
    case 'formula':
      return [{ tag: 'formula', written: token.info, tex: token.content, isDisplay: isDisplay(token) }];
    case 'footnote_ref':
      return [footnoteMark(token)];
    case 'hr':
    case 'hardbreak':
      return [{ tag: tags[token.type] ?? 'br', children: [] }];
    default:
      return token.content === '' ? [] : [token.content];
  }
}

/** An image is never fetched: the request would tell its server that the answer was read, and could carry data out. */
function image(token: Token): Tree {
  const text = `[image: ${(token.children ?? []).map(({ content }) => content).join('')}]`;
  const href = linkTarget(String(token.attrGet('src') ?? ''))?.href;
  return href === undefined ? text : { tag: 'a', href, children: [text] };
}

/** Moves a punctuation mark after a display formula beside the formula, not below it. */
function withPunctuation(trees: readonly Tree[]): readonly Tree[] {
  const [formula, text] = trees;
  if (trees.length !== 2 || typeof formula !== 'object' || formula.tag !== 'formula' || !formula.isDisplay)
    return trees;
  if (typeof text !== 'string' || !/^[.,;:!?]$/.test(text)) return trees;
  return [{ ...formula, written: `${formula.written}${text}`, after: text }];
}

function isDisplay({ markup }: Token): boolean {
  return markup === '$$' || markup === '\\[';
}

/** Creates the label of a footnote, for the text and for the note. */
function footnoteMark({ meta }: Token): Tree {
  return { tag: 'sup', children: [`[${String(meta?.label ?? '')}]`] };
}

/** Returns the character of a task's box, which can be read aloud and copied as text. */
export function taskBox(isDone: boolean): string {
  return isDone ? '☑' : '☐';
}

/** GFM task lists: adds a box to the item that has just ended. */
function markTask(items: Tree[]): void {
  const item = items.at(-1);
  if (typeof item !== 'object' || item.tag !== 'li') return;
  const [first, ...rest] = item.children;
  const paragraph = typeof first === 'object' && first.tag === 'p' ? first : undefined;
  const [text, ...others] = paragraph?.children ?? item.children;
  const mark = typeof text === 'string' ? /^\[([ xX])\](?=\s)/.exec(text)?.[1] : undefined;
  if (typeof text !== 'string' || mark === undefined) return;
  const marked: readonly Tree[] = [{ tag: 'task-box', isDone: mark !== ' ' }, text.slice(3), ...others];
  const children = paragraph === undefined ? marked : [{ ...paragraph, children: marked }, ...rest];
  items[items.length - 1] = { ...item, children, isTask: true };
}
