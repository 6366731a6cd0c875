import { type FenceMark, fenceMark, isClosing, unindented } from './fence.ts';
import { parse, type Token } from './parser.ts';

/** A top-level block of an answer; one that is not final will come again, changed. */
export type Block =
  | { readonly kind: 'tokens'; readonly tokens: readonly Token[]; readonly isFinal: boolean }
  | { readonly kind: 'fence'; readonly info: string };

/** What to do to the list of blocks shown, in order. Code goes to the last block, which is a fence. */
export type Step =
  | { readonly op: 'keep'; readonly count: number }
  | { readonly op: 'add'; readonly block: Block }
  | { readonly op: 'code'; readonly text: string }
  | { readonly op: 'close' };

/**
 * Markdown that comes in pieces. Only the last block is parsed again when more arrives; code in an open fence is not
 * parsed at all. The blocks are those of a parse of the whole, except where link reference definitions came: these act
 * backwards, so the whole is parsed once more at the end.
 */
export class BlockStream {
  #source = '';
  /** Where the first block starts that may still change. */
  #tail = 0;
  /** How many blocks before it will not. */
  #frozen = 0;
  #fence: FenceMark | undefined;
  #hasReferences = false;
  #heldBack = '';

  append(text: string): void {
    const all = this.#heldBack + text;
    // The line feed that belongs to a carriage return may come with the next piece.
    this.#heldBack = all.endsWith('\r') ? '\r' : '';
    this.#source += all
      .slice(0, all.length - this.#heldBack.length)
      .replace(/\r\n?/g, '\n')
      .replaceAll('\0', '\uFFFD');
  }

  /** The steps from what was shown after the last flush to what is known now. */
  flush(): readonly Step[] {
    return this.#advance(false);
  }

  /** No more text will come. */
  end(): readonly Step[] {
    if (this.#heldBack !== '') this.append('\n');
    const steps = this.#advance(true);
    if (!this.#hasReferences) return steps;
    const { tokens } = parse(this.#source);
    return [{ op: 'keep', count: 0 }, ...splitBlocks(tokens).flatMap(({ block }) => whole(block))];
  }

  #advance(isEnd: boolean): readonly Step[] {
    const steps: Step[] = [];
    if (this.#fence === undefined) steps.push({ op: 'keep', count: this.#frozen });
    while (true) {
      if (this.#fence !== undefined && !this.#takeCode(this.#fence, steps, isEnd)) return steps;
      if (!this.#parseTail(steps, isEnd)) return steps;
    }
  }

  /** Moves lines of the source into the open fence; true once it was closed and text may follow. */
  #takeCode(fence: FenceMark, steps: Step[], isEnd: boolean): boolean {
    let code = '';
    let at = this.#tail;
    let isClosed = false;
    while (!isClosed && at < this.#source.length) {
      const newline = this.#source.indexOf('\n', at);
      // An unfinished line may yet be the closing one.
      if (newline === -1 && !isEnd) break;
      const next = newline === -1 ? this.#source.length : newline + 1;
      const line = this.#source.slice(at, next);
      isClosed = isClosing(line, fence);
      if (!isClosed) code += unindented(line, fence.indent);
      at = next;
    }
    this.#tail = at;
    if (code !== '') steps.push({ op: 'code', text: code });
    if (!isClosed && !isEnd) return false;
    steps.push({ op: 'close' });
    this.#fence = undefined;
    this.#frozen += 1;
    return isClosed;
  }

  /** Parses what is not frozen yet; true when that ends in a fence that has been opened. */
  #parseTail(steps: Step[], isEnd: boolean): boolean {
    const text = this.#source.slice(this.#tail);
    const { tokens, hasReferences } = parse(text);
    this.#hasReferences ||= hasReferences;
    const blocks = splitBlocks(tokens);
    const lines = lineStarts(text);
    const unfinishedLine = isEnd || text.endsWith('\n') ? Number.POSITIVE_INFINITY : lines.length - 1;
    const last = blocks.at(-1);
    const isGrowingLine = last !== undefined && last.line >= unfinishedLine;
    // A line that is still growing can undo its block, and then belong to the one above (`*` a list, `**a` its lazy
    // line; the delimiters of a table, until one too many makes them text); not to a fence, which is closed by then.
    const before = blocks.at(-2);
    const isCode = last !== undefined && isFence(last.block) && !isGrowingLine;
    const isGrowing = unfinishedLine !== Number.POSITIVE_INFINITY && !isCode;
    const changing = isGrowing && before !== undefined && !isFence(before.block) ? 2 : 1;
    const kept = blocks.slice(0, -changing);
    const rest = blocks.slice(kept.length);
    for (const { block } of kept) steps.push(...whole(block));
    this.#frozen += kept.length;
    if (isCode) {
      this.#fence = fenceMark(text.slice(lines[last.line] ?? 0));
      this.#tail += lines[last.line + 1] ?? text.length;
      steps.push({ op: 'add', block: { kind: 'fence', info: last.block.tokens[0]?.info ?? '' } });
      return true;
    }
    this.#tail += lines[rest[0]?.line ?? 0] ?? 0;
    for (const { block } of rest) {
      // The opening line of a fence shows once it is whole: until then its language is half a word.
      if (!isFence(block)) steps.push({ op: 'add', block: { ...block, isFinal: isEnd } });
    }
    return false;
  }
}

type TokenBlock = Extract<Block, { readonly kind: 'tokens' }>;

/** A block and the line it starts at. */
interface Placed {
  readonly block: TokenBlock;
  readonly line: number;
}

function isFence({ tokens }: TokenBlock): boolean {
  return tokens[0]?.type === 'fence';
}

function whole(block: TokenBlock): readonly Step[] {
  const [token] = block.tokens;
  if (token === undefined || token.type !== 'fence') return [{ op: 'add', block }];
  return [
    { op: 'add', block: { kind: 'fence', info: token.info } },
    { op: 'code', text: token.content },
    { op: 'close' },
  ];
}

function splitBlocks(tokens: readonly Token[]): readonly Placed[] {
  const blocks: Placed[] = [];
  let start = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.level !== 0 || token.nesting === 1) continue;
    const own = tokens.slice(start, index + 1);
    blocks.push({ block: { kind: 'tokens', tokens: own, isFinal: true }, line: own[0]?.map?.[0] ?? 0 });
    start = index + 1;
  }
  return blocks;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
