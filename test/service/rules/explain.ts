import { outline } from './outline.ts';
import type { CodeBlock } from './prompt.ts';

/** An outline of each block as text: its elements, their places, and what they do on the surface. */
export function explainAnswer(blocks: readonly CodeBlock[]): string {
  return blocks.map(explainBlock).join('\n\n');
}

function explainBlock(block: CodeBlock): string {
  const found = outline(block);
  const lines = block.code.replace(/\n$/, '').split('\n').length;
  const name = block.name === undefined ? 'The code' : `\`${block.name}\``;
  const head = `${name} is ${lines} ${lines === 1 ? 'line' : 'lines'} of ${block.language}.`;
  const items: string[] = [];
  for (const { kind, name: symbol, parameters, line } of found.symbols) {
    const takes = kind === 'class' ? '' : parameters.length === 0 ? ', takes nothing' : `, takes ${list(parameters)}`;
    items.push(`- ${kind} \`${symbol}\` on line ${line}${takes}`);
  }
  if (found.imports.length > 0) items.push(`- imports ${list(found.imports)}`);
  const counts: string[] = [];
  if (found.branches > 0) counts.push(plural(found.branches, 'branch', 'branches'));
  if (found.loops > 0) counts.push(plural(found.loops, 'loop', 'loops'));
  if (counts.length > 0) items.push(`- ${counts.join(' and ')}`);
  if (found.returns.length > 0) items.push(`- returns ${list(found.returns)}`);
  if (found.calls.length > 0) items.push(`- calls ${list(found.calls)}`);
  if (items.length === 0) items.push('- no function, class, branch or call that the rules recognize');
  return `${head}\n\n${items.join('\n')}`;
}

function list(items: readonly string[]): string {
  const shown = items.slice(0, 8).map((item) => `\`${item}\``);
  return items.length > 8 ? `${shown.join(', ')} and ${items.length - 8} more` : shown.join(', ');
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
