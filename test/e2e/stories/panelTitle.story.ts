import { expect, key, test } from '../fixtures.ts';

test('the title of a panel of 280 px has New Chat, and its menu the preview and the settings', async ({
  workbench,
  chat,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  const { page } = workbench;
  const bar = page.locator('.part.auxiliarybar');
  const width = async (): Promise<number> => (await bar.boundingBox())?.width ?? 0;
  await expect(async () => {
    const box = await bar.boundingBox();
    if (box === null) throw new Error('The panel is not shown.');
    // The line between the parts.
    const [x, y] = [box.x - 2, box.y + 300];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + box.width - 280, y, { steps: 5 });
    await page.mouse.up();
    expect(Math.abs((await width()) - 280)).toBeLessThanOrEqual(4);
  }).toPass();
  await expect(bar.getByRole('button', { name: /^New Chat/ })).toBeVisible();
  for (const id of ['model', 'meter', 'posture', 'tools', 'preview', 'send']) {
    await expect(chat.frame.getByTestId(id)).toBeVisible();
  }
  await workbench.shoot('panel-280');
  const menu = page.locator('.monaco-menu');
  await workbench.clickUntil(bar.getByRole('button', { name: /More Actions/ }).first(), menu);
  await expect(menu.getByText('Preview Request')).toBeVisible();
  await expect(menu.getByText('Open Settings')).toBeVisible();
  await workbench.shoot('panel-280-menu');
  await page.keyboard.press('Escape');
});
