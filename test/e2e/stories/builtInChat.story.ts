import { join } from 'node:path';
import { BuiltInChat } from '../builtInChat.ts';
import { expect, key, test } from '../fixtures.ts';

// Assembled here, so that secret scanners find nothing in this file.
const environment = [
  ['SHOP_ORDERS=orders_of_the_northern_warehouse;returns-and-refunds;pass', 'word=Winter-7f3Kq!'].join(''),
  'SHOP_REGION=eu-central-1',
  '',
].join('\n');

test.use({
  // It leaves VS Code's chat switched on.
  leavesWindow: false,
  // VS Code's agent may read what a file contained in the story before.
  takesWindow: false,
  files: { 'src/pay.ts': 'export const paid = true;\n', '.env': environment },
  userSettings: { 'svc.compliance.securityLevel': 'maximum', 'svc.compliance.frameworks': ['hipaa'] },
});

interface Body {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

const headers = { 'svc-security-level': 'maximum', 'svc-compliance-frameworks': 'hipaa' };

test('VS Code’s own chat, signed out, answers; its agent reads a file with a tool; @svc answers, all with the Svc headers', async ({
  workbench,
  service,
  folder,
}) => {
  const builtIn = new BuiltInChat(workbench);
  await workbench.storeKey(key);
  await builtIn.enable();
  await builtIn.open();
  await builtIn.ask('What can you do?');
  await expect(builtIn.answers.last()).toContainText('not from a language model', { timeout: 60_000 });

  const first = service.chats.length;
  await builtIn.ask(`Please read the file ${join(folder, 'workspace', 'src', 'pay.ts')}`);
  await expect(builtIn.answers.last()).toContainText('The tool said', { timeout: 60_000 });
  await expect(builtIn.answers.last()).toContainText('paid = true');
  // VS Code may request a title between, without tools.
  const [asked, answered] = service.chats
    .slice(first)
    .map(({ json }) => json as Body)
    .filter(({ tools = [] }) => tools.length > 0);
  expect(asked?.tools?.map((tool) => tool.function.name)).toContain('read_file');
  expect(asked?.messages[0]?.role).toBe('system');
  expect(answered?.messages.at(-1)).toMatchObject({ role: 'tool' });
  expect(answered?.messages.at(-1)?.content).toContain('paid = true');
  await workbench.shoot('built-in-chat-agent');

  await builtIn.ask('@svc What else can you do?');
  await expect(builtIn.answers.last()).toContainText('Svc · svc/auto · maximum · hipaa · Confirmed by the service');
  await workbench.shoot('built-in-chat-participant');
  // The thread stays with @svc and is sent with its earlier messages; messages to the agent are not sent.
  await workbench.openFile('pay.ts');
  await builtIn.ask('/explain');
  // VS Code may still request the title of the agent's thread.
  const thread = (): readonly Body[] =>
    service.chats.filter(({ body }) => body.includes('What else can you do?')).map(({ json }) => json as Body);
  await expect.poll(thread).toHaveLength(2);
  const [before, after] = thread();
  expect(before?.messages).toEqual([{ role: 'user', content: 'What else can you do?' }]);
  expect(after?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(after?.messages[1]?.content).not.toContain('Confirmed by');
  expect(after?.messages[2]?.content).toMatch(/^Explain this code[\s\S]*export const paid = true;/);
  for (const chat of service.chats) expect(chat.headers).toMatchObject(headers);
});

test('VS Code’s own agent reads .env with its own tool, and the service gets a line that names the file in its place', async ({
  workbench,
  service,
  folder,
}) => {
  const builtIn = new BuiltInChat(workbench);
  await workbench.storeKey(key);
  await builtIn.enable();
  await builtIn.open();
  const first = service.chats.length;
  await builtIn.ask(`Please read the file ${join(folder, 'workspace', '.env')}`);
  await expect(builtIn.answers.last()).toContainText('The tool said', { timeout: 60_000 });
  await expect(builtIn.answers.last()).toContainText('[left out:');
  await workbench.shoot('built-in-chat-excluded');
  const sent = service.chats.slice(first).map(({ json }) => json as Body);
  const result = sent.flatMap(({ messages }) => messages).findLast(({ role }) => role === 'tool');
  expect(result?.content).toMatch(/\[left out: \d+ lines? of \.env\]/);
  for (const word of ['northern_warehouse', 'Winter-7f3Kq', 'returns-and-refunds']) {
    for (const { messages } of sent) expect(JSON.stringify(messages)).not.toContain(word);
  }
});

test('the steps for VS Code’s own chat list what still uses other models; Stop closes the socket', async ({
  workbench,
  service,
}) => {
  const { quickPick } = workbench;
  const builtIn = new BuiltInChat(workbench);
  await workbench.storeKey(key);
  await builtIn.enable();
  await builtIn.open();
  await builtIn.showSteps();
  await expect(quickPick.filter({ hasText: 'chat.byokUtilityModelDefault' })).toBeVisible();
  await workbench.shoot('built-in-chat-steps');
  await builtIn.chooseUtilityModels('svc/enterprise-coder-v1');
  await expect(quickPick.filter({ hasText: 'chat.byokUtilityModelDefault' })).toHaveCount(0);
  await workbench.closeList();
  await expect(builtIn.utilityHint).toBeHidden();

  // VS Code requests a title separately, from our model.
  await builtIn.ask('What can you do?');
  await expect(builtIn.answers.last()).toContainText('not from a language model', { timeout: 60_000 });
  const side = await service.waitFor(({ json }) => (json as Body | undefined)?.model === 'svc/enterprise-coder-v1');
  expect(side.headers).toMatchObject(headers);

  const held = service.holdChunks();
  await builtIn.ask('What more?');
  const request = await service.waitFor(
    ({ json }) => (json as Body | undefined)?.messages.at(-1)?.content.includes('What more?') ?? false,
  );
  let ended: string | undefined;
  void request.ended.then((how) => {
    ended = how;
  });
  await builtIn.stop();
  // Well before the request's own timeout.
  await expect.poll(() => ended).toBe('cut');
  held.release();
});
