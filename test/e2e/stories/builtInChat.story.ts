import { join } from 'node:path';
import { BuiltInChat } from '../builtInChat.ts';
import { expect, key, test } from '../fixtures.ts';

test.use({
  files: { 'src/pay.ts': 'export const paid = true;\n' },
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
  // VS Code's chat loads a large extension of its own before the first answer, and looks for tools.
  test.setTimeout(240_000);
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
  const [asked, answered] = service.chats.slice(first).map(({ json }) => json as Body);
  expect(asked?.tools?.map((tool) => tool.function.name)).toContain('read_file');
  expect(answered?.messages.at(-1)).toMatchObject({ role: 'tool' });
  expect(answered?.messages.at(-1)?.content).toContain('paid = true');
  await workbench.shoot('built-in-chat-agent');

  const second = service.chats.length;
  await builtIn.ask('@svc What else can you do?');
  await expect(builtIn.answers.last()).toContainText('Svc · svc/auto · maximum · hipaa · Requested');
  const body = service.chats[second]?.json as Body;
  expect(body.messages.at(-1)).toEqual({ role: 'user', content: 'What else can you do?' });
  await workbench.shoot('built-in-chat-participant');
  for (const chat of service.chats) expect(chat.headers).toMatchObject(headers);
});
