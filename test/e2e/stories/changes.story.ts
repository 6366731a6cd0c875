// The card of proposed changes, above the composer.
import type { Locator, Page } from '@playwright/test';
import type { ChangesView } from '../../../src/protocol/changesView.ts';
import type { ViewEvent } from '../../../src/protocol/panelEvents.ts';
import { changes, manyChanges } from '../../tools/panelPreview/changes.ts';
import { tell } from '../panelPage.ts';
import { expect, panelPreview, test } from '../previews.ts';

// Each in its own page.
test.describe.configure({ mode: 'parallel' });

const changed = (now: ChangesView): ViewEvent => ({ type: 'changes-changed', changes: now });

/** The changes after decisions on some files. */
function decided(states: Readonly<Record<string, 'accepted' | 'rejected'>>): ChangesView {
  const files = changes.files.map((file) => ({ ...file, state: states[file.id] ?? file.state }));
  return { ...changes, files, hasOpen: files.some(({ state }) => state === 'proposed' || state === 'stale') };
}

const all = (state: 'accepted' | 'rejected') => Object.fromEntries(changes.files.map(({ id }) => [id, state]));

/** The calls of the page about changes, and their parameters. */
function calls(page: Page): Promise<readonly unknown[]> {
  return page.evaluate(() => {
    const { calls } = globalThis as unknown as { calls: readonly { method: string; params: unknown }[] };
    return calls.flatMap(({ method, params }) => (/Changes?$/.test(method) ? [[method, params]] : []));
  });
}

const row = (page: Page, path: string): Locator =>
  page.getByTestId('change').filter({ has: page.getByTestId('open-change').and(page.locator(`[title^="${path}"]`)) });

test('each file has its name, its lines, what to know of it, and its state in words', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'changes');
  await expect(page.getByTestId('changes-title')).toHaveText(
    'Files with proposed changes: 5 (+40 −1,207). Nothing has been written.',
  );
  await expect(page.locator('.change-text')).toHaveText([
    'src/util/delay.ts+31new',
    'src/legacy/sleep.ts−1,204deleted',
    'src/billing/invoices/paymentProvider.tsrenamed from src/billing/pay.ts',
    'package.json+2−1can run in a build',
    'src/client/retry.ts+7−2',
  ]);
  await expect(row(page, 'src/client/retry.ts').getByTestId('change-state')).toHaveText('Outdated');
  await expect(page.getByTestId('change-state')).toHaveCount(1);
  await expect(page.getByTestId('open-change').first()).toHaveAccessibleName(
    'src/util/delay.ts, new, added lines: 31, removed lines: 0',
  );
  // The name is the first that is seen, and all can be seen.
  const places = await row(page, 'src/util/delay.ts')
    .locator('bdi, .change-lines')
    .evaluateAll((parts) => parts.map((part) => [part.className, part.getBoundingClientRect().left] as const));
  const seen = places.toSorted(([, a], [, b]) => a - b).map(([name]) => name);
  expect(seen).toEqual(['change-name', 'change-folder', 'change-lines', 'change-note']);
  for (const item of await page.getByTestId('change').all()) await expect(item).toBeInViewport({ ratio: 1 });
  // A change that no longer fits can be carried over, if it is one of parts of the text, or rejected.
  const stale = row(page, 'src/client/retry.ts');
  await expect(stale.getByRole('button')).toHaveCount(3);
  await expect(stale.getByRole('button').first()).toHaveAccessibleName(
    /retry\.ts.*, The file has changed since\. Carry this change over to the present text, or reject it\.$/,
  );
  const [deletion] = changes.files.filter(({ kind }) => kind === 'delete');
  if (deletion === undefined) throw new Error('no deletion');
  await tell(page, changed({ ...changes, files: [{ ...deletion, state: 'stale' }] }));
  await expect(page.getByTestId('change').getByRole('button')).toHaveCount(2);
  await expect(page.getByTestId('open-change')).toHaveAccessibleName(
    /sleep\.ts.*, The file has changed since\. This change can only be rejected\.$/,
  );
  await tell(page, changed(decided(all('accepted'))));
  await expect(page.getByTestId('change-state')).toHaveText(Array(5).fill('Accepted'));
  await expect(row(page, 'package.json').getByRole('button')).toHaveAccessibleName(/^package\.json.*, Accepted$/);
});

test('a click opens a diff, and each button decides what it names', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'changes');
  await row(page, 'package.json').getByTestId('open-change').click();
  await page.getByRole('button', { name: 'Accept: package.json', exact: true }).click();
  await page.getByRole('button', { name: 'Carry Over: src/client/retry.ts', exact: true }).click();
  await page.getByRole('button', { name: 'Reject: src/client/retry.ts', exact: true }).click();
  await page.getByRole('button', { name: 'Accept All' }).click();
  await page.getByRole('button', { name: 'Reject All' }).click();
  expect(await calls(page)).toEqual([
    ['openChange', { id: 'package.json' }],
    ['decideChange', { id: 'package.json', version: 3, decision: 'accept' }],
    ['carryOverChange', { id: 'src/client/retry.ts', version: 3 }],
    ['decideChange', { id: 'src/client/retry.ts', version: 3, decision: 'reject' }],
    ['decideChanges', { shown: changes.shown, decision: 'accept' }],
    ['decideChanges', { shown: changes.shown, decision: 'reject' }],
  ]);
  await previews.show(panelPreview, 'changesWritten');
  await page.getByRole('button', { name: 'Undo 4 files' }).click();
  await page.getByRole('button', { name: 'Close: Written: 4 files. Rejected: 1.' }).click();
  expect(await calls(page)).toEqual([
    ['undoChanges', { shown: changes.shown }],
    ['closeChanges', undefined],
  ]);
});

test('buttons are there only for what they can do', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'changes');
  const names = async (): Promise<readonly (string | null)[]> =>
    page
      .getByTestId('changes')
      .locator('> details > .actions button, > button')
      .evaluateAll((buttons) => buttons.map((button) => button.textContent || button.getAttribute('title')));
  expect(await names()).toEqual(['Accept All', 'Reject All']);
  // One of the two that are left is outdated.
  const { 'src/client/retry.ts': _, 'package.json': __, ...others } = all('rejected');
  await tell(page, changed(decided(others)));
  expect(await names()).toEqual(['Reject All']);
  await tell(page, changed({ ...decided({ ...others, 'package.json': 'accepted' }), undo: 'Undo 1 file' }));
  expect(await names()).toEqual(['Undo 1 file']);
  await tell(page, changed({ ...decided(all('rejected')) }));
  expect(await names()).toEqual(['Close']);
  await tell(page, { type: 'changes-changed' });
  await expect(page.getByTestId('changes')).toHaveCount(0);

  // While an answer comes, a diff can be opened and nothing decided.
  await tell(page, changed({ ...changes, canDecide: false }));
  await expect(page.getByTestId('changes')).toContainText('You can decide when the answer is complete.');
  expect(await names()).toEqual([]);
  await expect(page.getByTestId('change').getByRole('button')).toHaveCount(5);
  await tell(page, changed({ ...decided(all('accepted')), canDecide: false }));
  await expect(page.getByTestId('changes')).not.toContainText('You can decide');
});

test('the list keeps its width when all is decided and the card can be closed', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'changes');
  const list = page.getByTestId('changes').locator('ul');
  for (const width of [180, 241, 280, 600]) {
    await page.setViewportSize({ width, height: 700 });
    await tell(page, changed(changes));
    await expect(page.getByTestId('close-changes')).toHaveCount(0);
    const open = await list.boundingBox();
    await tell(page, changed(decided(all('rejected'))));
    const close = await page.getByTestId('close-changes').boundingBox();
    const now = await list.boundingBox();
    expect([now?.x, now?.width], `${width} px`).toEqual([open?.x, open?.width]);
    expect(now?.y, `${width} px`).toBeGreaterThanOrEqual((close?.y ?? 0) + (close?.height ?? 0));
  }
});

test('a file whose diff must be opened first names this, and all wait for it', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'changesToReview');
  const card = page.getByTestId('changes');
  await expect(card).toContainText(
    'The managed policy requires that you open the diff of each file before you accept.',
  );
  await expect(page.getByTestId('change-state')).toHaveText(['Not reviewed', 'Not reviewed', 'Outdated']);
  await expect(row(page, 'package.json').getByRole('button')).toHaveCount(2);
  await expect(row(page, 'package.json').getByRole('button').first()).toHaveAccessibleName(
    /^package\.json.*, Open the diff before you accept this change\.$/,
  );
  await expect(page.getByRole('button', { name: 'Accept All' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Accept: src/util/delay.ts' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reject All' })).toBeVisible();
  await tell(page, changed(changes));
  await expect(card).not.toContainText('The managed policy');
  await expect(page.getByRole('button', { name: 'Accept All' })).toBeVisible();
});

test('after a decision, the focus is on the next file that waits, and no key that is held decides on it', async ({
  previews,
}) => {
  const { page } = previews;
  await previews.show(panelPreview, 'changes');
  const composer = page.getByTestId('composer');
  const file = (path: string): Locator => row(page, path).getByTestId('open-change');
  await page.getByRole('button', { name: 'Accept: src/legacy/sleep.ts' }).focus();
  await page.keyboard.press('Enter');
  await tell(page, changed(decided({ 'src/legacy/sleep.ts': 'accepted' })));
  await expect(file('src/billing/invoices/paymentProvider.ts')).toBeFocused();
  // The key is still down: it repeats.
  await page.keyboard.down('Enter');
  await page.keyboard.down('Enter');
  const open = ['openChange', { id: 'src/billing/invoices/paymentProvider.ts' }];
  expect(await calls(page)).toEqual([
    ...[['decideChange', { id: 'src/legacy/sleep.ts', version: 3, decision: 'accept' }], open, open],
  ]);
  await page.keyboard.up('Enter');

  // After the last file comes the first that waits. A file that was decided elsewhere takes no focus.
  await page.getByRole('button', { name: 'Reject: src/client/retry.ts' }).focus();
  await tell(page, changed(decided({ 'src/client/retry.ts': 'rejected', 'src/util/delay.ts': 'accepted' })));
  await expect(file('src/legacy/sleep.ts')).toBeFocused();
  // A button that stays keeps the focus.
  await page.getByRole('button', { name: 'Accept All' }).focus();
  await tell(page, changed(decided({ 'src/util/delay.ts': 'accepted' })));
  await expect(page.getByRole('button', { name: 'Accept All' })).toBeFocused();
  // A file that becomes outdated can still be rejected.
  await page.getByRole('button', { name: 'Accept: package.json' }).focus();
  const files = changes.files.map((each) => ({ ...each, state: 'stale' as const }));
  await tell(page, changed({ ...changes, files }));
  await expect(file('package.json')).toBeFocused();
  await tell(page, changed({ ...changes, files: files.slice(0, 2) }));
  await expect(file('src/util/delay.ts')).toBeFocused();

  await composer.fill('A draft');
  await page.getByRole('button', { name: 'Reject All' }).focus();
  await page.keyboard.down('Enter');
  await tell(page, changed({ ...decided(all('rejected')), undo: 'Undo 5 files' }));
  await expect(composer).toBeFocused();
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(composer).toHaveValue('A draft');
  await composer.press('Enter');
  await expect(composer).toHaveValue('');
  await page.getByRole('button', { name: 'Undo 5 files' }).focus();
  await tell(page, changed(changes));
  await expect(file('src/util/delay.ts')).toBeFocused();
  await tell(page, { type: 'changes-changed' });
  await expect(composer).toBeFocused();
});

test('Tab stops at one file, the arrow keys go from file to file, and the title hides them', async ({ previews }) => {
  const { page } = previews;
  await page.setViewportSize({ width: 420, height: 800 });
  await previews.show(panelPreview, 'changesMany');
  const focused = (): Promise<string | null> =>
    page.evaluate(() => {
      const { activeElement } = document;
      const label = activeElement?.querySelector('.visually-hidden')?.textContent;
      return activeElement?.getAttribute('aria-label') ?? label ?? activeElement?.textContent ?? null;
    });
  const after = async (...keys: readonly string[]): Promise<readonly (string | null)[]> => {
    const seen: (string | null)[] = [];
    for (const key of keys) {
      await page.keyboard.press(key);
      seen.push(await focused());
    }
    return seen;
  };
  await page.getByTestId('changes-title').focus();
  const long = manyChanges.files[5]?.path;
  expect(await after('Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab')).toEqual([
    ...[`${long}, added lines: 1204, removed lines: 3`, `Accept: ${long}`, `Reject: ${long}`],
    ...['Accept All', 'Reject All', 'Undo 5 files', 'Ask Svc'],
  ]);
  await page.getByRole('button', { name: `Reject: ${long}` }).focus();
  expect(await after('ArrowDown', 'ArrowDown', 'ArrowUp')).toEqual([
    ...['Reject: src/generated/part0.ts', 'Reject: src/generated/part1.ts', 'Reject: src/generated/part0.ts'],
  ]);
  // The file above the long one is decided: only its diff can be opened.
  expect((await after('ArrowUp', 'ArrowUp'))[1]).toContain('src/client/retry.ts');
  await page.getByRole('button', { name: 'Accept: src/generated/part26.ts' }).focus();
  expect(await after('ArrowDown', 'Tab', 'Tab')).toEqual([
    ...['Accept: src/generated/part26.ts', 'Reject: src/generated/part26.ts', 'Accept All'],
  ]);
  await expect(page.getByRole('button', { name: 'Accept: src/generated/part26.ts' })).toBeInViewport();
  await page.getByTestId('changes-title').press('Enter');
  expect(await after('Tab')).toEqual(['Ask Svc']);
  await expect(page.getByTestId('change').first()).toBeHidden();
  // It stays so while more is proposed.
  await tell(page, changed({ ...manyChanges, title: 'Proposed: 29 files' }));
  await expect(page.getByTestId('changes-title')).toHaveText('Proposed: 29 files');
  await expect(page.getByTestId('change').first()).toBeHidden();
});

for (const state of ['changes', 'changesMany'])
  test(`leaves the composer in a panel of 180 px (${state})`, async ({ previews }) => {
    const { page } = previews;
    await page.setViewportSize({ width: 300, height: 180 });
    await previews.show(panelPreview, state);
    const composer = page.getByTestId('composer');
    await expect(page.getByTestId('changes-title')).toBeInViewport();
    await expect(composer).toBeInViewport({ ratio: 1 });
    await page.getByTestId('changes-title').click();
    await expect(page.getByTestId('change').first()).toBeVisible();
    await composer.click();
    await expect(composer).toBeInViewport({ ratio: 1 });
    await expect(page.getByTestId('send')).toBeVisible();
    // In a high panel, it leaves room for the conversation, too.
    await page.setViewportSize({ width: 300, height: 600 });
    await previews.show(panelPreview, state);
    await expect(page.getByTestId('change').first()).toBeInViewport();
    await expect(composer).toBeInViewport({ ratio: 1 });
    await expect(page.getByTestId('answer')).toBeInViewport();
  });

test('a name that reorders text is shown with its marks', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'changes');
  const path = 'src/\u202egnp.sj';
  const files = changes.files.slice(0, 1).map((file) => ({ ...file, path, label: path, note: `renamed from ${path}` }));
  await tell(page, changed({ ...changes, files }));
  await expect(page.locator('.change-text')).toHaveText('src/[U+202E]gnp.sj+31renamed from src/[U+202E]gnp.sj');
  await expect(page.getByTestId('open-change')).toHaveAccessibleName('src/[U+202E]gnp.sj');
  await expect(page.getByRole('button', { name: 'Accept: src/[U+202E]gnp.sj' })).toBeVisible();
  await expect(page.getByTestId('open-change')).toHaveAttribute('title', /^src\/\[U\+202E\]gnp\.sj/);
});

/** The calls of the page for the next step. */
function nextSteps(page: Page): Promise<readonly unknown[]> {
  return page.evaluate(() => {
    const { calls } = globalThis as unknown as { calls: readonly { method: string; params: unknown }[] };
    return calls.flatMap(({ method, params }) =>
      /^(carryOut|goOn|openAttachment)$/.test(method) ? [[method, params]] : [],
    );
  });
}

test('a plan is carried out with one key press, and the focus goes to the composer', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'plan');
  const step = page.getByTestId('carry-out');
  await step.focus();
  await page.keyboard.press('Enter');
  expect(await nextSteps(page)).toEqual([['carryOut', { turnId: 't1' }]]);
  await tell(page, { type: 'busy-changed', busy: true });
  await expect(step).toHaveCount(0);
  await expect(page.getByTestId('composer')).toBeFocused();
});

test('a plan that cannot be carried out here says why', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'planLocked');
  const step = page.getByTestId('carry-out');
  const why = 'Change is not available. Turned off in the workspace settings.';
  await expect(step).toHaveAttribute('aria-disabled', 'true');
  await expect(step).toHaveAccessibleDescription(why);
  await expect(page.getByText(why)).toBeVisible();
  await step.focus();
  await page.keyboard.press('Enter');
  expect(await nextSteps(page)).toEqual([]);
});

test('decisions are opened from their chip, and offer to go on until they are removed', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'changesDecided');
  await page.getByTestId('open-chip').click();
  await page.getByTestId('go-on').click();
  expect(await nextSteps(page)).toEqual([
    ['openAttachment', { id: 'd' }],
    ['goOn', undefined],
  ]);
  await tell(page, { type: 'attachments-changed', attachments: [], attachmentProblem: '' });
  await expect(page.getByTestId('go-on')).toHaveCount(0);
});
