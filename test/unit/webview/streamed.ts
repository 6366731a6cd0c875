import assert from 'node:assert/strict';
import { type Block, BlockStream, type Step } from '../../../src/webview/markdown/blocks.ts';
import { partsOf } from '../../../src/webview/markdown/growth.ts';
import { parse, type Token } from '../../../src/webview/markdown/parser.ts';

interface Shown {
  block: Block;
  code: string;
  isClosed: boolean;
}

/** A list or table with its first parts unchanged and others after them. */
function withParts(
  block: Extract<Block, { readonly kind: 'tokens' }>,
  { keep, tokens, isFinal }: Extract<Step, { readonly op: 'parts' }>,
): Block {
  const parts = partsOf(block.tokens);
  assert.ok(keep <= parts.length, 'only a part that is there can stay');
  const start = parts[0]?.[0] === undefined ? -1 : block.tokens.indexOf(parts[0][0]);
  const count = parts.flat().length;
  assert.ok(start > 0, 'parts come to others');
  const all = [
    ...block.tokens.slice(0, start),
    ...parts.slice(0, keep).flat(),
    ...tokens,
    ...block.tokens.slice(start + count),
  ];
  return { kind: 'tokens', tokens: all, isFinal };
}

/** The content of a page that applies only the steps. */
export class Page {
  readonly shown: Shown[] = [];

  apply(steps: readonly Step[]): void {
    for (const step of steps) {
      const last = this.shown.at(-1);
      if (step.op === 'keep') {
        assert.ok(step.count <= this.shown.length, 'only a block that is there can stay');
        this.shown.splice(step.count);
      } else if (step.op === 'parts') {
        assert.ok(last?.block.kind === 'tokens', 'parts go to a list or a table');
        last.block = withParts(last.block, step);
      } else if (step.op === 'add') {
        this.shown.push({ block: step.block, code: '', isClosed: false });
      } else {
        assert.ok(last?.block.kind === 'fence' && !last.isClosed, 'code goes to an open fence');
        if (step.op === 'code') last.code += step.text;
        else last.isClosed = true;
      }
    }
  }

  plain(): unknown[] {
    return this.shown.flatMap(({ block, code }) =>
      block.kind === 'fence' ? [{ info: block.info, code }] : block.tokens.map(plain),
    );
  }
}

/** A token without its line numbers, which depend on where a parse began. */
function plain(token: Token): unknown {
  const { type, tag, attrs, nesting, level, content, info, hidden, children } = token;
  if (type === 'fence' && level === 0) return { info, code: content };
  return { type, tag, attrs, nesting, level, content, info, hidden, children: children?.map(plain) };
}

export function stream(pieces: readonly string[], growFrom?: number): Page {
  const page = new Page();
  const blocks = new BlockStream(growFrom);
  for (const piece of pieces) {
    blocks.append(piece);
    page.apply(blocks.flush());
  }
  page.apply(blocks.end());
  return page;
}

export function oneShot(text: string): unknown[] {
  return parse(text).tokens.map(plain);
}

export function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let start = 0, index = 0; start < text.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    pieces.push(text.slice(start, start + size));
    start += size;
  }
  return pieces;
}
