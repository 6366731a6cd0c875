import { auditPreview, expect, test } from '../previews.ts';

// Each in its own page.
test.describe.configure({ mode: 'parallel' });

test('a request of the audit page opens with the keyboard, and keeps the focus while data arrives', async ({
  previews,
}) => {
  const { page } = previews;
  await previews.show(auditPreview, 'month');
  const table = page.getByTestId('requests');
  await expect(table.locator('thead th')).toHaveText([
    ...['Time', 'Action', 'Model', 'Outcome', 'Duration', 'Tokens', 'Compliance settings'],
  ]);
  const row = table.locator('tbody tr', { hasText: 'maximum' }).first();
  const button = row.getByRole('button');
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(button).toBeFocused();
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  const opened = page.locator(`[id="${await button.getAttribute('aria-controls')}"]`);
  await expect(opened.locator('dt')).toHaveText([
    'Service confirmation',
    ...['Svc-Security-Level', 'Svc-Data-Residency', 'Svc-Audit-Enabled', 'Svc-Zero-Retention'],
    'Svc-Compliance-Frameworks',
    ...['Sent to', 'Size', 'Files', 'Masked secrets', 'Sent unmasked', 'Files not reviewed'],
    ...['Passages of excluded files left out', 'Excluded files recognized by content', 'Previewed', 'Retries'],
    ...['Input tokens', 'Output tokens', 'Finish reason', 'Request ID'],
  ]);
  // The host sends its data again, as after each recorded entry.
  const calls = () => page.evaluate(() => (globalThis as unknown as { calls: readonly unknown[] }).calls.length);
  const before = await calls();
  await page.evaluate(() => {
    const { acquireVsCodeApi: host } = globalThis as unknown as { acquireVsCodeApi(): Pick<Window, 'postMessage'> };
    const received = Promise.withResolvers<unknown>();
    addEventListener('message', ({ data }) => data.type === 'reply' && received.resolve(data));
    host().postMessage({ id: 'again', method: 'refresh' });
    return received.promise;
  });
  expect(await calls()).toBe(before + 1);
  await expect(button).toBeFocused();
  await expect(opened).toBeVisible();
  await page.keyboard.press('Space');
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await expect(button).toBeFocused();
  await expect(opened).toHaveCount(0);
});

test('a request that the service contradicts stands out at the top of the page and in its row, at every width', async ({
  previews,
}) => {
  const { page } = previews;
  for (const width of [400, 900]) {
    await page.setViewportSize({ width, height: 900 });
    await previews.show(auditPreview, 'contradicted');
    await expect(page.getByTestId('contradicted')).toContainText(
      'Requests for which the service reported other settings than those requested: 1.',
    );
    const row = page.getByTestId('requests').locator('tbody tr').first();
    await row.scrollIntoViewIfNeeded();
    await expect(row.getByText('Settings differ')).toBeInViewport({ ratio: 1 });
  }
  await page.getByTestId('show-contradicted').click();
  await expect(page.getByTestId('requests').locator('tbody tr')).toHaveCount(1);
  await expect(page.getByTestId('show-contradicted')).toHaveCount(0);
});

test('the totals of a row are on one line, also where a name takes two', async ({ previews }) => {
  const { page } = previews;
  await previews.show(auditPreview, 'month', 'dark', 'de');
  await expect(page.locator('.totals dt').filter({ hasText: 'Dauer' })).toHaveText([
    'Dauer, Median',
    'Dauer, 95. Perzentil',
  ]);
  for (const width of [400, 620, 700, 780, 900]) {
    await page.setViewportSize({ width, height: 900 });
    const totals = await page.locator('.totals dd').evaluateAll((numbers) =>
      numbers.map((number) => {
        const { top, height } = number.parentElement?.getBoundingClientRect() ?? new DOMRect();
        return { row: top + height, top: number.getBoundingClientRect().top };
      }),
    );
    expect(new Set(totals.map(({ top }) => top)).size, `${width} px`).toBe(new Set(totals.map(({ row }) => row)).size);
  }
});

test('a chart without data is a sentence, and outcomes without requests have no row', async ({ previews }) => {
  const { page } = previews;
  await previews.show(auditPreview, 'hostile');
  const charts = page.getByTestId('chart');
  await expect(charts).toHaveCount(6);
  await expect(charts.filter({ hasText: 'Tokens by' })).toHaveText(
    /^Tokens by \w+None of these requests has a token count\.$/,
  );
  await expect(charts.filter({ hasText: 'by outcome' }).locator('.word-bar')).toHaveText([/^failed4 · 100%$/]);
  await page.getByText('Show as table: Requests by hour').or(page.getByText('Show as table: Requests by day')).click();
  const counts = charts.first().locator('tbody tr td:first-of-type');
  await expect
    .poll(async () => (await counts.allTextContents()).reduce((sum, count) => sum + Number(count), 0))
    .toBe(4);
  await expect(counts.filter({ hasText: /^0$/ })).toHaveCount(0);
});

test('the axis of a period ends with today', async ({ previews }) => {
  const { page } = previews;
  await page.setViewportSize({ width: 1400, height: 900 });
  for (const state of ['month', 'years', 'custom']) {
    await previews.show(auditPreview, state);
    const last = page.getByTestId('chart').first().locator('.column').last().locator('text');
    const today = await page.evaluate(() => {
      const now = new Date();
      const day = { day: 'numeric', month: 'short' } as const;
      return [day, { month: 'short', year: 'numeric' } as const].map((form) => now.toLocaleDateString('en', form));
    });
    await expect(last, state).toHaveText(new RegExp(`^(${today.join('|')})$`));
  }
});

test('a stopped request is gray, in every theme', async ({ previews }) => {
  const { page } = previews;
  for (const theme of auditPreview.themes) {
    await previews.show(auditPreview, 'month', theme);
    const fill = await page.evaluate(() => {
      const bar = document.querySelector('.word-bar .bar.stopped');
      const context = document.createElement('canvas').getContext('2d');
      if (bar === null || context === null) return [];
      context.fillStyle = getComputedStyle(bar).fill;
      context.fillRect(0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    });
    expect(fill, theme).toHaveLength(3);
    expect(Math.max(...fill) - Math.min(...fill), theme).toBeLessThan(8);
  }
});

test('names with bidirectional characters reorder nothing beside them', async ({ previews }) => {
  const { page } = previews;
  await previews.show(auditPreview, 'hostile');
  await previews.openAll();
  /** Lines in which a text is drawn to the left of what is written before it. */
  const turned = await page.evaluate(() => {
    const places = [...document.querySelectorAll('.word-bar, tbody td:not(:has(dl)), .facts > div')];
    return places.flatMap((place) => {
      const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
      const boxes: DOMRect[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(node);
        boxes.push(range.getBoundingClientRect());
      }
      const isTurned = boxes.some((box, index) => {
        const before = boxes[index - 1];
        return before !== undefined && box.top < before.bottom - 2 && box.left < before.right - 1;
      });
      return isTurned ? [place.outerHTML.slice(0, 200)] : [];
    });
  });
  expect(turned).toEqual([]);
  await expect(page.locator('td bdi', { hasText: 'nuf-rof' })).toHaveCount(1);
});

test('an empty log says how it is filled, and leads to the chat', async ({ previews }) => {
  const { page } = previews;
  await previews.show(auditPreview, 'empty');
  await page.getByTestId('empty').getByRole('button', { name: 'Open Chat' }).click();
  await expect
    .poll(() => page.evaluate(() => (globalThis as unknown as { calls: { method: string }[] }).calls.at(-1)?.method))
    .toBe('openChat');
});

test('a part that only the filters leave empty says so, and clears them', async ({ previews }) => {
  const { page } = previews;
  await previews.show(auditPreview, 'month');
  await expect(page.getByTestId('events').locator('tbody tr').first()).toBeVisible();
  await page.getByTestId('period').selectOption('days');
  await page.getByTestId('to').fill('2020-01-01');
  for (const part of ['no-match', 'no-refusals', 'no-events']) {
    const empty = page.getByTestId(part);
    await expect(empty.locator('.codicon')).toBeVisible();
    await expect(empty.getByRole('button', { name: 'Clear Filters' })).toBeVisible();
  }
  await page.getByTestId('no-events').getByRole('button').click();
  await expect(page.getByTestId('events').locator('tbody tr').first()).toBeVisible();
  await expect(page.getByTestId('no-match')).toHaveCount(0);
});
