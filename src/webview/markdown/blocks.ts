import { OpenFence, unindented } from './fence.ts';
import { type Growth, grow, isLoose, isSameKind, loosen, openPartsOf, partsOf } from './growth.ts';
import { parse, type Token } from './parser.ts';

/** A top-level block of an answer. A block that is not final may be sent again, changed. */
export type Block =
  | { readonly kind: 'tokens'; readonly tokens: readonly Token[]; readonly isFinal: boolean }
  | { readonly kind: 'fence'; readonly info: string };

/**
 * The changes to the list of shown blocks, in order. Code goes to the last block, which is a fence; parts to the last
 * block, a list or a table, whose first `keep` parts stay.
 */
export type Step =
  | { readonly op: 'keep'; readonly count: number }
  | { readonly op: 'parts'; readonly keep: number; readonly tokens: readonly Token[]; readonly isFinal: boolean }
  | { readonly op: 'add'; readonly block: Block }
  | { readonly op: 'code'; readonly text: string }
  | { readonly op: 'close' };

/**
 * Incremental Markdown. Each piece reparses only the last block, and only the last parts of a long list or table; code in an open
 * fence is not parsed at all. The blocks equal those of a parse of the whole, except with link reference definitions: these act
 * backwards, so the whole is parsed again at the end.
 */
export class BlockStream {
  /** The complete text, in pieces: joining them on each flush would copy all of it. */
  readonly #pieces: string[] = [];
  /** The source of the blocks that may still change. */
  #tail = '';
  /** The number of blocks before the tail, which are final. */
  #frozen = 0;
  /** The source of each shown block after the final ones; undefined if the block does not show all of its source. */
  #shown: readonly (string | undefined)[] = [];
  #fence: OpenFence | undefined;
  /** Whether a document with fences inside has no end: it is read again, as CommonMark reads it. */
  #isOpenDocument = false;
  #growth: Growth | undefined;
  readonly #growFrom: number;
  #growAt: number;
  #hasReferences = false;
  #heldBack = '';

  /** Lists and tables are split into parts if they have at least `growFrom` characters; see growth.ts. */
  constructor(growFrom = 1024) {
    this.#growFrom = growFrom;
    this.#growAt = growFrom;
  }

  append(text: string): void {
    const all = this.#heldBack + text;
    // The line feed of a carriage return may arrive with the next piece.
    this.#heldBack = all.endsWith('\r') ? '\r' : '';
    const piece = all
      .slice(0, all.length - this.#heldBack.length)
      .replace(/\r\n?/g, '\n')
      .replaceAll('\0', '\uFFFD');
    this.#pieces.push(piece);
    this.#tail += piece;
  }

  /** Returns the changes since the last flush. */
  flush(): readonly Step[] {
    return this.#advance(false);
  }

  /** Ends the text, and returns the last changes. */
  end(): readonly Step[] {
    if (this.#heldBack !== '') this.append('\n');
    const steps = this.#advance(true);
    if (!this.#hasReferences && !this.#isOpenDocument) return steps;
    const { tokens } = parse(this.#pieces.join(''));
    return [{ op: 'keep', count: 0 }, ...splitBlocks(tokens).flatMap(({ block }) => whole(block))];
  }

  #advance(isEnd: boolean): readonly Step[] {
    const steps: Step[] = [];
    while (true) {
      if (this.#fence !== undefined && !this.#takeCode(this.#fence, steps, isEnd)) return steps;
      if (!this.#parseTail(steps, isEnd)) return steps;
    }
  }

  /** Moves lines of the tail into the open fence. Returns true if the fence was closed and text may follow. */
  #takeCode(fence: OpenFence, steps: Step[], isEnd: boolean): boolean {
    const text = this.#tail;
    let code = '';
    let at = 0;
    let isClosed = false;
    while (!isClosed && at < text.length) {
      const newline = text.indexOf('\n', at);
      // An unfinished line may still become the closing fence.
      if (newline === -1 && !isEnd) break;
      const next = newline === -1 ? text.length : newline + 1;
      const line = text.slice(at, next);
      isClosed = fence.isClosedBy(line);
      if (!isClosed) code += unindented(line, fence.mark.indent);
      at = next;
    }
    this.#tail = text.slice(at);
    if (code !== '') steps.push({ op: 'code', text: code });
    if (!isClosed && !isEnd) return false;
    steps.push({ op: 'close' });
    this.#isOpenDocument = !isClosed && fence.hasInner;
    this.#fence = undefined;
    this.#frozen += 1;
    return isClosed;
  }

  /** Parses the part that is not frozen. Returns true if it ends in a fence that was opened. */
  #parseTail(steps: Step[], isEnd: boolean): boolean {
    const text = (this.#growth?.head ?? '') + this.#tail;
    const { tokens, hasReferences, openLine } = parse(text, false);
    this.#hasReferences ||= hasReferences;
    const blocks = splitBlocks(tokens);
    if (this.#growth !== undefined && !fits(this.#growth, blocks[0])) {
      this.#tail = this.#growth.source + this.#tail;
      this.#growth = undefined;
      return this.#parseTail(steps, isEnd);
    }
    const lines = lineStarts(text);
    const unfinishedLine = isEnd || text.endsWith('\n') ? Number.POSITIVE_INFINITY : lines.length - 1;
    const last = blocks.at(-1);
    const openAt = isEnd || openLine === undefined ? blocks.length : openBlock(blocks, openLine);
    const isOpen = openAt < blocks.length;
    const isCode = last !== undefined && isFence(last.block) && last.line < unfinishedLine && !isOpen;
    const kept = blocks.slice(0, isCode ? -1 : -changing(blocks, unfinishedLine)).slice(0, openAt);
    const rest = blocks.slice(kept.length);
    const sources = blocks.map(({ line }, index) =>
      text.slice(lines[line], lines[blocks[index + 1]?.line ?? lines.length]).replace(/\n+$/, ''),
    );
    this.#show(steps, blocks, sources, isEnd ? blocks.length : kept.length);
    this.#frozen += kept.length;
    if (kept.length > 0 || isCode) {
      this.#growth = undefined;
      this.#growAt = this.#growFrom;
    }
    if (isCode) {
      this.#fence = new OpenFence(text.slice(lines[last.line] ?? 0));
      this.#tail = text.slice(lines[last.line + 1] ?? text.length);
      this.#shown = [];
      steps.push({ op: 'add', block: { kind: 'fence', info: last.block.tokens[0]?.info ?? '' } });
      return true;
    }
    if (this.#growth === undefined) this.#tail = text.slice(lines[rest[0]?.line ?? 0]);
    this.#shown = sources
      .map((source, index) => (index < openAt ? source : undefined))
      .slice(kept.length, last !== undefined && isFence(last.block) ? -1 : undefined);
    if (isEnd || isOpen || rest.length !== 1 || last === undefined) return false;
    if (this.#tail.length > this.#growAt) this.#grow(steps, last);
    return false;
  }

  /** Keeps the blocks whose source is unchanged, and adds the blocks after them; the first `done` blocks are final. */
  #show(steps: Step[], blocks: readonly Placed[], sources: readonly string[], done: number): void {
    let same = 0;
    for (const [index, { block }] of blocks.entries()) {
      if (sources[index] !== this.#shown[index] || (index < done && hasCode(block.tokens))) break;
      same += 1;
    }
    const growth = same === 0 ? this.#growth : undefined;
    if (growth !== undefined) same = 1;
    if (blocks.length > 0 || this.#shown.length > 0) steps.push({ op: 'keep', count: this.#frozen + same });
    if (growth !== undefined) {
      const tokens = openPartsOf(blocks[0]?.block.tokens ?? [], growth).flat();
      steps.push({ op: 'parts', keep: growth.kept, tokens, isFinal: done > 0 });
    }
    for (const [index, { block }] of blocks.entries()) {
      if (index < same) continue;
      if (!isFence(block)) steps.push({ op: 'add', block: { ...block, isFinal: index < done } });
      // The opening line of a fence is shown when it is complete: until then its language may be cut.
      else if (index < done && index < blocks.length - 1) {
        for (const step of whole(block)) steps.push(step);
      }
    }
  }

  /** Removes the first parts of a list or table, which are already shown, from what each flush parses. */
  #grow(steps: Step[], { block: { tokens } }: Placed): void {
    const before = this.#growth;
    const end = this.#tail.lastIndexOf('\n') + 1;
    const grown = partsOf(tokens).length === 0 ? undefined : grow(this.#tail.slice(0, end), before);
    if (grown === undefined || (isLoose(tokens) ?? grown.growth.isLoose) !== grown.growth.isLoose) {
      this.#growAt = 2 * this.#tail.length;
      return;
    }
    const { growth, done, rest } = grown;
    this.#growth = growth;
    this.#tail = rest + this.#tail.slice(end);
    this.#growAt = Math.max(this.#growFrom, 2 * this.#tail.length);
    this.#shown = [undefined];
    if (!hasCode(done)) return;
    // The code in parts that are now final is highlighted.
    const keep = before?.kept ?? 0;
    if (growth.isLoose) loosen(done);
    steps.push({ op: 'parts', keep, tokens: done, isFinal: true });
    const parts = before === undefined ? partsOf(tokens) : openPartsOf(tokens, before);
    const open = parts.slice(growth.kept - keep).flat();
    steps.push({ op: 'parts', keep: growth.kept, tokens: open, isFinal: false });
  }
}

type TokenBlock = Extract<Block, { readonly kind: 'tokens' }>;

/** A block and the line at which it starts. */
interface Placed {
  readonly block: TokenBlock;
  readonly line: number;
}

function isFence({ tokens }: TokenBlock): boolean {
  return tokens[0]?.type === 'fence';
}

function hasCode(tokens: readonly Token[]): boolean {
  return tokens.some(({ type }) => type === 'fence' || type === 'code_block');
}

/**
 * Whether the first block is the rest of the growing list or table; if so, it gets the looseness of the whole. It is not the rest
 * if a blank line has just made a tight list loose, because that affects the whole list.
 */
function fits(growth: Growth, first: Placed | undefined): boolean {
  if (first === undefined || first.line !== 0 || !isSameKind(first.block.tokens[0], growth.opening)) return false;
  const { tokens } = first.block;
  if (growth.isLoose) loosen(tokens);
  return growth.isLoose || !isLoose(tokens);
}

/**
 * Returns how many of the last blocks may still change. An unfinished line can undo its block, and then belong to the block
 * above: `*` begins a list, but `**a` continues its paragraph; the delimiter row of a table becomes text if it gets too many
 * cells. The line cannot belong to a fence above it, which is closed.
 */
function changing(blocks: readonly Placed[], unfinishedLine: number): number {
  const last = blocks.at(-1);
  const before = blocks.at(-2);
  if (last === undefined || before === undefined || isFence(before.block)) return 1;
  return last.line >= unfinishedLine - 1 ? 2 : 1;
}

/**
 * Returns the index of the first block that may change while a display formula has no end: the block before the one in which it
 * begins, because that block gets its lines if it is no formula.
 */
function openBlock(blocks: readonly Placed[], openLine: number): number {
  const at = blocks.findLastIndex(({ line }) => line <= openLine);
  const before = blocks[at - 1];
  return before === undefined || isFence(before.block) ? Math.max(0, at) : at - 1;
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
