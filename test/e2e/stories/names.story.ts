// The panel's page in a separate browser: names with characters that are written from right to left, or reorder others.
import { panelPreview } from '../../tools/panelPreview/preview.ts';
import { expect, type Previews, test } from '../previews.ts';

/** Not shown, or the user's own text, or an answer, which has paragraphs of its own. */
const others = [
  'id',
  'turnId',
  'conversationId',
  'status',
  'state',
  'verdict',
  'severity',
  'icon',
  'setting',
  'answer',
];

/** Characters that a name may begin and end with. */
const names: Readonly<Record<string, readonly [before: string, after: string]>> = {
  'an override without an end': ['\u202e', '\u202e'],
  'an isolate without an end': ['\u2067', '\u2067'],
  'ends of isolates that it did not begin': ['\u2069\u202e', '\u2069\u202c\u202e'],
  'Hebrew letters': ['אב', 'אב'],
};

/** Draws the state again, with these characters around each text of it. */
async function show({ page }: Previews, [before, after]: readonly [string, string]): Promise<void> {
  await page.evaluate(
    async ({ before, after, others }) => {
      const around = (value: unknown, key = ''): unknown => {
        if (others.includes(key)) return value;
        if (typeof value === 'string') return value === '' ? value : before + value + after;
        if (Array.isArray(value)) return value.map((inner) => around(inner, key === 'siblings' ? 'id' : key));
        if (typeof value !== 'object' || value === null) return value;
        return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, around(inner, name)]));
      };
      const state = around(JSON.parse(document.body.dataset.state ?? '{}'));
      const { host } = window as unknown as { host(...events: readonly unknown[]): void };
      host({ type: 'snapshot', state });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    },
    { before, after, others },
  );
}

/** Texts whose Latin letters do not go from left to right, except the user's own, and pairs of texts in a line that changed places. */
function turnedRound({ page }: Previews): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const drawn: { readonly node: Text; readonly rects: readonly DOMRect[] }[] = [];
    const blockOf = (node: Node): Element | null => {
      let element = node.parentElement;
      while (element !== null && getComputedStyle(element).display === 'inline') element = element.parentElement;
      return element;
    };
    const rectsOf = (node: Text, from: number, to: number): readonly DOMRect[] => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to);
      return [...range.getClientRects()];
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (
        parent === null ||
        parent.closest('script, .visually-hidden, .answer, .prompt > [dir], .prompt[dir], .waiting-text[dir]') !== null
      )
        continue;
      const rects = rectsOf(node, 0, node.length);
      if (rects.length === 0) continue;
      drawn.push({ node, rects });
      // Latin words: each letter stands to the right of the one before it.
      for (const { 0: word, index } of node.data.slice(0, 300).matchAll(/[A-Za-z]{2,}/g)) {
        const [[first], [second]] = [rectsOf(node, index, index + 1), rectsOf(node, index + 1, index + 2)];
        if (first === undefined || first.top !== second?.top) continue;
        if (second.left < first.left) found.push(`${word} in ${node.data}`);
      }
    }
    for (const [index, { node, rects }] of drawn.entries()) {
      const next = drawn[index + 1];
      if (next === undefined || blockOf(next.node) !== blockOf(node)) continue;
      const isSwapped = rects.some(({ top, right }) =>
        next.rects.some((other) => other.top === top && other.left + 1 < right),
      );
      if (isSwapped) found.push(`${node.data} | ${next.node.data}`);
    }
    return found;
  });
}

test('no name turns the words beside it around, in any state of the panel', async ({ previews, page }) => {
  await page.setViewportSize({ width: 900, height: 900 });
  for (const state of panelPreview.states) {
    await previews.show(panelPreview, state);
    for (const [name, around] of Object.entries(names)) {
      await show(previews, around);
      await previews.openAll();
      expect(await turnedRound(previews), `${state}: ${name}`).toEqual([]);
    }
  }
});

test('what is looked for is found in a page that isolates nothing', async ({ previews, page }) => {
  await page.setViewportSize({ width: 900, height: 900 });
  await previews.show(panelPreview, 'tools');
  await page.evaluate(() => {
    const line = document.createElement('p');
    line.append('a name\u202e', ' and words after it');
    const row = document.createElement('p');
    row.append('אב', ' אב');
    document.querySelector('.panel')?.append(line, row);
  });
  expect(await turnedRound(previews)).toHaveLength(6);
});
