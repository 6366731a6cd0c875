import { parse, type Token } from './parser.ts';

/**
 * A long list or table at the end of a growing answer. Its first parts (a list's items, a table's rows) are final: they
 * are not parsed or drawn again, however long it becomes.
 */
export interface Growth {
  /** The opening token of the list or table. */
  readonly opening: Token;
  /**
   * The prefix with which the rest of the source parses as the same block: the first two lines of a table, or an item of a list.
   * The item has a paragraph, which shows whether the list is loose; an item without a paragraph does not.
   */
  readonly head: string;
  /** The number of parts that are final. */
  readonly kept: number;
  /** The source of the block up to the end of the final parts. */
  readonly source: string;
  /** Whether a blank line separates items, so that all items of the list have paragraphs. */
  readonly isLoose: boolean;
}

/** The next growth of a block, and the tokens of the parts that became final. */
interface Grown {
  readonly growth: Growth;
  readonly done: readonly Token[];
  /** The source that remains to be parsed, up to the end of the given source. */
  readonly rest: string;
}

/** The number of last parts that the unfinished line may still change. */
const openParts = 2;

/**
 * The maximum number of cells that the rows of a table may lack in total before markdown-it ends the table; a table that could
 * reach it does not grow.
 */
const maxCells = 65_536;

/** Returns the items of a list or the rows of a table's body, or an empty array for any other block. */
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

/** Returns the parts after the head. */
export function openPartsOf(tokens: readonly Token[], growth: Growth): readonly (readonly Token[])[] {
  return partsOf(tokens).slice(isTable(growth.opening) ? 0 : 1);
}

/** Returns the paragraphs directly in the items of a list: they show whether the list is loose. */
function ownParagraphs(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(({ type, level }) => level === 2 && (type === 'paragraph_open' || type === 'paragraph_close'));
}

/** Whether a list is loose; undefined if that makes no difference. */
export function isLoose(tokens: readonly Token[]): boolean | undefined {
  const [first] = ownParagraphs(tokens);
  return first === undefined ? undefined : !first.hidden;
}

/** Gives a part of a list the paragraphs of the whole list. */
export function loosen(tokens: readonly Token[]): void {
  for (const token of ownParagraphs(tokens)) token.hidden = false;
}

/**
 * Returns the final parts of a list or table, or undefined if there are too few. `source` is the whole source, or the part after
 * `before`. It must end with a line break: an unfinished line is ambiguous.
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
  if (isTable(opening) && kept * (parts[0]?.length ?? 0) > maxCells) return undefined;
  const cut = endOfLine(text, cutLine);
  const rest = text.slice(cut);
  // The remaining source must parse as the same parts.
  const reparsed = parse(head + rest).tokens;
  if (!isOneBlock(reparsed) || !isSameKind(reparsed[0], opening)) return undefined;
  if (openPartsOf(reparsed, shape).length !== openParts) return undefined;
  const start = before === undefined && isTable(opening) ? 0 : head.length;
  const done = (before?.source ?? '') + text.slice(start, cut);
  const isNowLoose = before?.isLoose === true || isLoose(tokens) === true;
  return {
    growth: { opening, head, kept, source: done, isLoose: isNowLoose },
    done: parts.slice(0, count).flat(),
    rest,
  };
}

/** Whether two blocks are the same kind of list or table. */
export function isSameKind(opening: Token | undefined, other: Token): boolean {
  return opening?.type === other.type && opening.markup === other.markup;
}

function isTable({ type }: Token): boolean {
  return type === 'table_open';
}

/** Returns an item for the head of a list. Its text is indented so far that no item after it is treated as nested. */
function firstItem({ type, markup }: Token): string {
  return `${type === 'ordered_list_open' ? '1' : ''}${markup}    x\n`;
}

function isOneBlock(tokens: readonly Token[]): boolean {
  return tokens.findIndex(({ level, nesting }) => level === 0 && nesting !== 1) === tokens.length - 1;
}

/** Returns the offset at which the given number of lines ends. */
function endOfLine(text: string, lines: number): number {
  let at = 0;
  for (let line = 0; line < lines; line += 1) {
    const end = text.indexOf('\n', at);
    at = end === -1 ? text.length : end + 1;
  }
  return at;
}
