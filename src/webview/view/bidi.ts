import { Fragment, options, type VNode } from 'preact';
import { withReordering } from '../text.ts';

/**
 * Shows bidirectional control characters as `[U+202E]` in all texts and tooltips of the page, even if the host sends a name and the
 * text around it as one string. The user's own text keeps the characters, in elements with a `dir` of their own. The style sheet
 * isolates right-to-left text.
 */
export function showReordering(): void {
  const before = options.vnode;
  options.vnode = (node) => {
    before?.(node);
    const props = (node as VNode<Record<string, unknown>>).props;
    if ((typeof node.type !== 'string' && node.type !== Fragment) || 'dir' in props) return;
    for (const name of ['children', 'title', 'aria-label']) {
      if (name in props) props[name] = shown(props[name]);
    }
  };
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return withReordering(value);
  return Array.isArray(value) ? value.map(shown) : value;
}
