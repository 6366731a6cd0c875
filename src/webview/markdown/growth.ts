import { parse, type Token } from './parser.ts';

/**
 * A long list or table at the end of an answer that still grows. Its first parts (a list's items, a table's rows) are
 * done: they are not parsed or drawn again, however long it becomes.
 */
export interface Growth {
  /** The token that opens the whole. */
  readonly opening: Token;
  /**
   * What the rest of the source needs before it to be the same block: the first two lines of a table, an item for a list.
   * That item also tells whether the list is loose, which others need not: only a paragraph shows it.
   */
  readonly head: string;
  /** How many parts are done. */
  readonly kept: number;
  /** The source of the whole up to the end of these. */
  readonly source: string;
  /** An item was set apart by a blank line, which gives the whole list paragraphs. */
  readonly isLoose: boolean;
}

/** The next growth of a block, and the tokens of the parts that were done by it. */
export interface Grown {
  readonly growth: Growth;
  readonly done: readonly Token[];
  /** The source that stays to be parsed, up to the end of what was given. */
  readonly rest: string;
}

/** The last part may still change, and so may the one before it, by the line that has just begun. */
const openParts = 2;

/** markdown-it ends a table whose rows lack more cells than this altogether; none is grown that could. */
const mostCells = 65_536;

/** The items of a list or the rows of a table's body; none of any other block. */
export function partsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const [first] = tokens;
  const inTable = first !== undefined && isTable(first);
  const body = inTable ? tokens.findIndex(({ type }) => type === 'tbody_open') : 0;
  if (body === -1) return [];
  const level = inTable ? 2 : 1;
  const [open, close] = inTable ? ['tr_open', 'tr_close'] : ['list_item_open', 'list_item_close'];
  const parts: (readonly Token[])[] = [];
  let start = body;
  for (const [index, token] of tokens.entries()) {
    if (index < body || token.level !== level) continue;
    if (token.type === open) start = index;
    if (token.type === close) parts.push(tokens.slice(start, index + 1));
  }
  return parts;
}

/** The parts that come after the head. */
export function openPartsOf(tokens: readonly Token[], growth: Growth): readonly (readonly Token[])[] {
  return partsOf(tokens).slice(isTable(growth.opening) ? 0 : 1);
}

/** The paragraphs that belong to the items of a list themselves: they show where the list is loose. */
function ownParagraphs(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(({ type, level }) => level === 2 && (type === 'paragraph_open' || type === 'paragraph_close'));
}

/** Undefined where it makes no difference. */
export function isLoose(tokens: readonly Token[]): boolean | undefined {
  const [first] = ownParagraphs(tokens);
  return first === undefined ? undefined : !first.hidden;
}

/** Gives a part of a list the paragraphs that the whole of it has. */
export function loosen(tokens: readonly Token[]): void {
  for (const token of ownParagraphs(tokens)) token.hidden = false;
}

/**
 * What is done of a list or table, or undefined where that is too little. `source` is the whole, or what came after
 * `before`, and has to end with a line end: a line that still grows says nothing for certain.
 */
export function grow(source: string, before: Growth | undefined): Grown | undefined {
  const opening = before?.opening ?? parse(source).tokens[0];
  if (opening === undefined) return undefined;
  const head = before?.head ?? (isTable(opening) ? source.slice(0, endOfLine(source, 2)) : firstItem(opening));
  const text = before === undefined && isTable(opening) ? source : head + source;
  const { tokens } = parse(text);
  const shape = { opening, head, kept: 0, source: '', isLoose: false };
  const parts = openPartsOf(tokens, shape);
  const count = parts.length - openParts;
  const cutLine = parts[count]?.[0]?.map?.[0];
  if (count < openParts || cutLine === undefined || !isOneBlock(tokens)) return undefined;
  const kept = (before?.kept ?? 0) + count;
  if (isTable(opening) && kept * (parts[0]?.length ?? 0) > mostCells) return undefined;
  const cut = endOfLine(text, cutLine);
  const rest = text.slice(cut);
  // What is parsed from now on has to be the same parts.
  const again = parse(head + rest).tokens;
  if (!isOneBlock(again) || !isSameKind(again[0], opening)) return undefined;
  if (openPartsOf(again, shape).length !== openParts) return undefined;
  const start = before === undefined && isTable(opening) ? 0 : head.length;
  const done = (before?.source ?? '') + text.slice(start, cut);
  const isNowLoose = before?.isLoose === true || isLoose(tokens) === true;
  return {
    growth: { opening, head, kept, source: done, isLoose: isNowLoose },
    done: parts.slice(0, count).flat(),
    rest,
  };
}

/** Whether a block is of the same kind of list or table as another. */
export function isSameKind(opening: Token | undefined, other: Token): boolean {
  return opening?.type === other.type && opening.markup === other.markup;
}

function isTable({ type }: Token): boolean {
  return type === 'table_open';
}

/** Its text is so far to the right that no item after it is taken for one within it. */
function firstItem({ type, markup }: Token): string {
  return `${type === 'ordered_list_open' ? '1' : ''}${markup}    x\n`;
}

function isOneBlock(tokens: readonly Token[]): boolean {
  return tokens.findIndex(({ level, nesting }) => level === 0 && nesting !== 1) === tokens.length - 1;
}

/** Where so many lines of a text end. */
function endOfLine(text: string, lines: number): number {
  let at = 0;
  for (let line = 0; line < lines; line += 1) {
    const end = text.indexOf('\n', at);
    at = end === -1 ? text.length : end + 1;
  }
  return at;
}
