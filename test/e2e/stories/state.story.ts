import { expect, key, test } from '../fixtures.ts';

test.beforeEach(async ({ workbench, chat }) => {
  await workbench.storeKey(key);
  await chat.open();
});

test('a message to the page that is lost or duplicated is detected, and the page recovers', async ({
  chat,
  service,
}) => {
  await chat.ask('Hello');
  await chat.becomes('complete');
  // Its end.
  await expect(chat.answers.first()).toContainText('Write a function isPrime in TypeScript');
  const whole = await chat.answers.first().innerText();

  // A wrapper around the page's bridge drops one message, and delivers another one twice.
  await chat.frame.locator('body').evaluate(() => {
    let seen = 0;
    let isAgain = false;
    const take = (event: MessageEvent): void => {
      const isDelta = event.data?.type === 'events' && event.data.events[0]?.type === 'delta';
      if (!isDelta || isAgain) return;
      seen += 1;
      document.body.dataset.seen = String(seen);
      if (seen === 2) event.stopImmediatePropagation();
      if (seen === 4) {
        isAgain = true;
        window.dispatchEvent(new MessageEvent('message', { data: event.data }));
        isAgain = false;
      }
    };
    window.addEventListener('message', take, { capture: true });
  });
  const held = service.holdChunks();
  await chat.ask('Hello');
  const body = chat.frame.locator('body');
  // Separate messages: simultaneous events share one message.
  for (const count of [1, 2, 3, 4, 5]) {
    await expect
      .poll(async () => {
        const seen = Number(await body.getAttribute('data-seen'));
        if (seen < count) held.release(1);
        return seen;
      })
      .toBeGreaterThanOrEqual(count);
  }
  held.release();
  await chat.becomes('complete');
  await expect(chat.turns).toHaveCount(2);
  await expect.poll(() => chat.answers.last().innerText()).toBe(whole);
});

test('a view that is hidden during an answer shows the current state of the answer', async ({
  chat,
  workbench,
  service,
}) => {
  await chat.ask('Hello');
  await chat.becomes('complete');
  // Its end.
  await expect(chat.answers.first()).toContainText('Write a function isPrime in TypeScript');
  const whole = await chat.answers.first().innerText();
  const held = service.holdChunks();
  await chat.ask('Hello');
  held.release(5);
  await chat.becomes('streaming');
  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await expect(chat.composer).toBeHidden();
  held.release(20);
  await chat.open();
  await chat.becomes('streaming');
  await expect(chat.answers.last()).toContainText('You wrote');
  await expect(chat.stop).toBeVisible();
  held.release();
  await chat.becomes('complete');
  await expect.poll(() => chat.answers.last().innerText()).toBe(whole);
});

test('a turn that waits shows for how long, also in a view that is created again', async ({
  chat,
  workbench,
  service,
}) => {
  const held = service.holdChunks();
  await chat.ask('Hello');
  await chat.becomes('waiting');
  await expect(chat.waiting).toHaveText(/^Waiting for the service( · \d+ s)?$/);
  const seconds = async (): Promise<number> => Number(/ · (\d+) s$/.exec(await chat.waiting.innerText())?.[1] ?? 0);
  await expect.poll(seconds).toBeGreaterThanOrEqual(3);
  const [first, at] = [await seconds(), Date.now()];
  // Only the words are read aloud, not the number of each second.
  await expect(chat.waiting.locator('[aria-hidden="true"]').last()).toContainText(' s');
  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await expect(chat.composer).toBeHidden();
  await chat.open();
  // A count that began again would stay behind.
  await expect.poll(async () => (await seconds()) - first - (Date.now() - at) / 1_000).toBeGreaterThan(-2);
  held.release();
  await chat.becomes('complete');
  await expect(chat.waiting).toHaveCount(0);
});

test('a pending confirmation is still pending in a view that is created again', async ({
  chat,
  workbench,
  service,
}) => {
  await chat.ask('Is AKIAQ3EGRTXN7LPW2VKB still valid?');
  await chat.becomes('confirming');
  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await expect(chat.composer).toBeHidden();
  await chat.open();
  await chat.becomes('confirming');
  expect(service.chats).toHaveLength(0);
  await chat.confirmationButton('send-masked').click();
  await chat.becomes('complete');
  expect(service.chats[0]?.body).not.toContain('AKIAQ3EGRTXN7LPW2VKB');
});

test('a view that is moved to the other side bar during an answer, and back, has lost nothing', async ({
  chat,
  workbench,
  service,
}) => {
  const held = service.holdChunks();
  await chat.ask('Hello');
  held.release(5);
  await chat.becomes('streaming');
  await chat.composer.fill('half a question');
  /** The half of the window that contains the panel. */
  const half = async (): Promise<string> => {
    const box = await chat.composer.boundingBox();
    if (box === null) return 'none';
    return box.x < 640 ? 'left' : 'right';
  };
  await expect.poll(half).toBe('right');

  await workbench.run('View: Move View');
  await workbench.choose('Secondary Side Bar / Svc');
  await workbench.choose('New Side Bar Entry');
  await expect.poll(half).toBe('left');
  await chat.becomes('streaming');
  await expect(chat.composer).toHaveValue('half a question');
  held.release(10);
  await expect(chat.answers.last()).toContainText('You wrote');
  await workbench.shoot('panel-moved');

  await workbench.run('View: Reset View Locations');
  await chat.open();
  await expect.poll(half).toBe('right');
  await chat.becomes('streaming');
  await expect(chat.composer).toHaveValue('half a question');
  held.release();
  await chat.becomes('complete');
  await expect(chat.answers.last()).toContainText('You wrote: “Hello”');
  await chat.composer.press('Enter');
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');
});
