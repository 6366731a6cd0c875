import { expect, panelPreview, test } from '../previews.ts';

// Each in its own page.
test.describe.configure({ mode: 'parallel' });

/** From the narrowest side bar of VS Code to a wide one. */
const widths = [180, 220, 260, 280, 290, 291, 299, 320, 400, 440, 441, 520, 521, 600];

for (const language of ['en', 'de'] as const) {
  test(`each button of the composer has its place at every width (${language})`, async ({ previews }) => {
    const { page } = previews;
    for (const state of ['conversation', 'blocked', 'long', 'toolsOff']) {
      await previews.show(panelPreview, state, 'dark', language);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 600 });
        const boxes = await page.locator('.composer-row > button').evaluateAll((buttons) =>
          buttons.map((button) => {
            const { left, top, right, bottom } = button.getBoundingClientRect();
            return { id: button.getAttribute('data-testid'), left, top, right, bottom };
          }),
        );
        const name = `${state}, ${width} px`;
        expect(boxes.map(({ id }) => id)).toEqual([
          ...['attach', 'mode', 'model', 'meter', 'posture', 'tools', 'preview', 'send'],
        ]);
        for (const [index, box] of boxes.entries()) {
          expect(box.right - box.left, `${name}: ${box.id}`).toBeGreaterThanOrEqual(20);
          expect(box.left, `${name}: ${box.id}`).toBeGreaterThanOrEqual(0);
          expect(box.right, `${name}: ${box.id}`).toBeLessThanOrEqual(width);
          const next = boxes[index + 1];
          // Beside the next one, or in the line above it.
          if (next !== undefined) expect(box.right <= next.left + 1 || box.bottom <= next.top + 1, name).toBe(true);
        }
        // Two lines at most.
        expect(new Set(boxes.map(({ top, bottom }) => (top + bottom) / 2)).size, name).toBeLessThanOrEqual(2);
      }
    }
  });
}

test('what a chip says has space on both sides, with a button at its end or without', async ({ previews }) => {
  const { page } = previews;
  for (const state of ['organization', 'instructionsOut', 'questionWaits', 'attached']) {
    await previews.show(panelPreview, state);
    for (const width of [180, 280, 600]) {
      await page.setViewportSize({ width, height: 600 });
      const spaces = await page.locator('.chip').evaluateAll((chips) =>
        chips.map((chip) => {
          const text = chip.querySelector('.chip-text')?.getBoundingClientRect().right ?? 0;
          return chip.getBoundingClientRect().right - text;
        }),
      );
      expect(spaces.length).toBeGreaterThan(0);
      for (const space of spaces) expect(space, `${state}, ${width} px`).toBeGreaterThanOrEqual(4);
    }
  }
});

test('the composer is as high as its text needs at its width, whenever that changes', async ({ previews }) => {
  const { page } = previews;
  await page.setViewportSize({ width: 600, height: 700 });
  for (const [state, id] of [
    ['conversation', 'composer'],
    ['edit', 'edit-text'],
  ] as const) {
    await previews.show(panelPreview, state);
    const area = page.getByTestId(id);
    await area.fill('a few words that need one line in a wide panel, and more of them in a narrow one');
    const size = (): Promise<{ readonly shown: number; readonly needed: number }> =>
      area.evaluate(({ clientHeight, scrollHeight }) => ({ shown: clientHeight, needed: scrollHeight }));
    const { shown: wide } = await size();
    for (const [width, isHigher] of [
      [200, true],
      [600, false],
      [180, true],
      [600, false],
    ] as const) {
      await page.setViewportSize({ width, height: 700 });
      await expect.poll(async () => (await size()).shown > wide, `${state}, ${width} px`).toBe(isHigher);
      const { shown, needed } = await size();
      expect(shown).toBe(needed);
    }
    expect((await size()).shown).toBe(wide);
  }
});
