// What an administrator requires and limits, as a user sees it: what is refused, why, and what makes it work again.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { PlayedAnswer } from '../../service/played.ts';
import { freePort } from '../../tools/freePort.ts';
import type { ChatPanel } from '../chatPanel.ts';
import { test as base, expect, expectChats, key } from '../fixtures.ts';
import { Machine, machineExtension } from '../machine.ts';

const day = 86_400_000;

type AuditRecord = Readonly<Record<string, unknown>>;

/** The audit log on the disk of a story's computer. */
class Log {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The names of the files of sessions. */
  get sessions(): readonly string[] {
    return readdirSync(this.folder).filter((name) => !name.startsWith('ledger'));
  }

  /** The records of a kind, of all windows. */
  records(kind: string): readonly AuditRecord[] {
    const texts = readdirSync(this.folder).map((name) => readFileSync(join(this.folder, name), 'utf8'));
    const lines = texts.flatMap((text) => text.split('\n').filter((line) => line.startsWith('{')));
    return lines.map((line): AuditRecord => JSON.parse(line)).filter((record) => record.kind === kind);
  }
}

const test = base.extend<{ readonly machine: Machine; readonly log: Log }>({
  machine: async ({ computer }, use) => use(new Machine(computer)),
  log: async ({ computer: { dataDir } }, use) => use(new Log(join(dataDir, 'User/globalStorage/svc.svc-coder/audit'))),
});

test.use({ isAlone: true, otherExtension: machineExtension });

/** Sets the managed policy, and waits until the window has read it: the panel shows a header of it. */
async function setPolicy(machine: Machine, chat: ChatPanel, policy: object): Promise<void> {
  machine.writePolicy({ compliance: { securityLevel: 'high' }, ...policy });
  await expect(chat.posture).toHaveText('high');
}

test.describe('proposed changes', () => {
  test.use({
    userSettings: { 'svc.tools.enabled': true, 'svc.changes.enabled': true },
    files: { 'pay.ts': 'export const pay = 1;\n', 'fee.ts': 'export const fee = 1;\n' },
  });

  test('proposed changes cannot be accepted until the diff of each file was open', async ({
    machine,
    workbench,
    chat,
    service,
    log,
  }) => {
    await workbench.storeKey(key);
    await chat.open();
    await setPolicy(machine, chat, { changes: { requireReview: true } });
    await chat.mode.click();
    await workbench.chooseExactly('Change');
    const paths = ['pay.ts', 'fee.ts'];
    const write = (path: string) => ({ name: 'write_file', input: { path, content: 'export const none = 2;\n' } });
    const rounds: PlayedAnswer[] = [
      { calls: paths.map((path) => ({ name: 'read_file', input: { path } })) },
      { calls: paths.map(write) },
      { text: 'I propose both.' },
    ];
    service.play(() => rounds.shift());
    await chat.ask('Please change both.');
    await chat.toolButton('allow-conversation').click();
    await chat.becomes('complete');

    const card = chat.frame.getByTestId('changes');
    const accept = chat.frame.getByTestId('accept-changes');
    const unseen = card.getByText('Not reviewed', { exact: true });
    await expect(card).toContainText(
      'The managed policy requires that you open the diff of each file before you accept.',
    );
    await expect(unseen).toHaveCount(2);
    await expect(accept).toHaveCount(0);
    await workbench.shoot('limits-review');
    for (const [index, path] of paths.entries()) {
      await chat.frame.getByTestId('open-change').nth(index).click();
      await expect(workbench.page.locator('.tab.active')).toContainText(`Changes to ${path}`);
      await expect(unseen).toHaveCount(1 - index);
      await expect(accept).toHaveCount(index);
      await workbench.shoot(`limits-reviewed-${index + 1}`);
    }
    await accept.click();
    await expect(chat.frame.getByTestId('changes-title')).toHaveText('Written: 2.');
    await expect.poll(() => log.records('changes-accept')).toMatchObject([{ files: 2, shown: 2 }]);
  });
});

test.describe('required evidence', () => {
  // The folder of the machine is there before the window.
  test.beforeEach(async ({ machine: _, workbench, chat, log }) => {
    await workbench.storeKey(key);
    await chat.open();
    await chat.ask('Hello');
    await chat.becomes('complete');
    await expect.poll(() => log.records('request-outcome')).toHaveLength(1);
  });

  const evidence = (port: number) => {
    const otlp = { url: `http://127.0.0.1:${port}/v1/logs`, backlogBytes: 65_536 };
    return { evidence: { otlp, required: true } };
  };

  test('a log that cannot be written to the disk blocks requests until it can', async ({
    machine,
    workbench,
    chat,
    service,
    log,
  }) => {
    // Something else has the name of the folder.
    renameSync(log.folder, `${log.folder}.aside`);
    writeFileSync(log.folder, '');
    await setPolicy(machine, chat, evidence(await freePort(0)));
    await chat.ask('And without a folder?');
    await chat.becomes('failed');
    await expect(chat.cards).toContainText('Nothing was sent: the audit log cannot be read or written');
    await expect(chat.cards).toContainText(`ENOTDIR ${log.folder}`);
    await workbench.shoot('limits-not-written');
    await expectChats(service, 1);
    rmSync(log.folder);
    renameSync(`${log.folder}.aside`, log.folder);
    await chat.action('retry').click();
    await chat.becomes('complete');
    await expectChats(service, 2);
  });

  test('a log that its collector does not take blocks requests until it does', async ({
    machine,
    workbench,
    chat,
    service,
    log,
  }) => {
    let isUp = false;
    const collector = createServer(async (request, response) => {
      await once(request.resume(), 'end');
      response.writeHead(isUp ? 200 : 503, { 'Content-Type': 'application/json' }).end('{}');
    });
    await once(collector.listen(0, '127.0.0.1'), 'listening');
    const { port } = collector.address() as AddressInfo;
    // A window that was closed has left more than may wait.
    const [name = ''] = log.sessions;
    const session = '01234567-0123-4123-8123-0123456789ab';
    const left = readFileSync(join(log.folder, name), 'utf8')
      .replace(/"session":"[^"]+"/g, `"session":"${session}"`)
      .replace(/"pid":\d+/g, `"pid":${spawnSync('true').pid}`);
    writeFileSync(join(log.folder, name.replace(/Z-.*-0001/, `Z-${session}-0001`)), left.repeat(60));
    await setPolicy(machine, chat, evidence(port));
    await chat.ask('And without a collector?');
    await chat.becomes('failed');
    await expect(chat.cards).toContainText('Nothing was sent: the audit log is not delivered');
    await expect(chat.cards).toContainText(new RegExp(`Not yet delivered to 127\\.0\\.0\\.1:${port}: .*failed: 503`));
    await workbench.shoot('limits-not-delivered');
    await expectChats(service, 1);
    isUp = true;
    // After a failure, the collector is asked again after a second.
    await machine.setClock(workbench, 2_000);
    await chat.action('retry').click();
    await chat.becomes('complete');
    await expectChats(service, 2);
    collector.closeAllConnections();
    collector.close();
  });
});

test('logs that are older than keepDays are removed, the ledger records it, and the user can see why', async ({
  machine,
  workbench,
  chat,
  log,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  await setPolicy(machine, chat, { evidence: { keepDays: 2 }, requireAuditLog: true });
  await chat.ask('Hello');
  await chat.becomes('complete');
  const [old = ''] = log.sessions;
  await workbench.reloadByCommand();
  await machine.setClock(workbench, 3 * day);
  await chat.open();
  await chat.ask('Three days later');
  await chat.becomes('complete');
  await workbench.run('Svc: Verify Audit Log');
  await workbench.heard('The audit log is intact.');
  expect(log.sessions).toHaveLength(1);
  expect(log.sessions).not.toContain(old);
  expect(log.records('removed')).toMatchObject([{ why: 'retention' }]);
  const kept = 'The managed policy sets how long the logs of closed windows are kept: 2 days.';
  await workbench.run('Svc: Show Managed Policy');
  await expect.poll(async () => (await workbench.editorText()).replaceAll('\n', '')).toContain(kept);
  await workbench.run('Svc: Open Audit Log');
  const shown = () => Promise.all(workbench.page.frames().map((frame) => frame.getByText(kept).count()));
  await expect.poll(async () => (await shown()).includes(1)).toBe(true);
  await workbench.shoot('limits-kept');
});

test.describe('excluded files', () => {
  test.use({ files: { 'a.ts': 'const a = 1;\n', 'certs/server.p12': '\0\u0001\u0002\0', '.env': 'PIN=4711\n' } });

  test('excluded files that are not recognized block a request, which names them until they are gone', async ({
    machine,
    workbench,
    chat,
    service,
    folder,
  }) => {
    await workbench.storeKey(key);
    await chat.open();
    await setPolicy(machine, chat, { requireRecognition: true });
    await chat.ask('Hello');
    await chat.becomes('failed');
    await expect(chat.cards).toContainText('Nothing was sent: not all excluded files are recognized by their content');
    await expect(chat.cards).toContainText('not recognized: 1 binary, 1 with too little text.');
    await expect(chat.cards).toContainText(
      /Move these files and folders out of the workspace: (\.env, certs\/server\.p12|certs\/server\.p12, \.env)/,
    );
    await workbench.shoot('limits-not-recognized');
    rmSync(join(folder, 'workspace/certs'), { recursive: true });
    await chat.action('retry').click();
    await expect(chat.cards).toContainText(
      'recognized: 1 with too little text. Move these files and folders out of the workspace: .env',
    );
    expect(service.chats).toHaveLength(0);
    rmSync(join(folder, 'workspace/.env'));
    await chat.action('retry').click();
    await chat.becomes('complete');
  });
});

test('the panel tells users that the audit log names them, with the name once it is known', async ({
  machine,
  workbench,
  chat,
  service,
  log,
}) => {
  machine.addProgram('login', `#!/bin/sh\necho '${JSON.stringify({ key, subject: 'anna@example.com' })}'\n`);
  const origin = new URL(service.baseUrl).origin;
  await chat.open();
  await setPolicy(machine, chat, { identity: 'subject', credentials: { command: ['/etc/svc/login'], origin } });
  const told = 'Your administrator has set that each record of the audit log names you';
  await expect(chat.messages).toContainText(`${told}, as your sign-in does.`);
  await workbench.shoot('limits-subject-unknown');
  await chat.ask('Hello');
  await chat.becomes('complete');
  await expect(chat.messages).toContainText(`${told}: anna@example.com`);
  await workbench.shoot('limits-subject');
  expect(log.records('request-intent')).toMatchObject([{ user: 'anna@example.com' }]);
  // A user who has closed it is not told again.
  await workbench.clickUntil(chat.messages.getByTestId('close'), chat.messages, 'hidden');
  await chat.ask('And now?');
  await chat.becomes('complete');
  await expect(chat.messages).toHaveCount(0);
});

test('tokens of a day: a warning, then a refusal that names the end, and neither on the next day', async ({
  machine,
  workbench,
  chat,
  service,
  log,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  const long = 'Many words. '.repeat(2_000);
  await chat.ask(long);
  await chat.becomes('complete');
  await expect.poll(() => log.records('request-outcome')).toHaveLength(1);
  const used = Number(log.records('request-outcome')[0]?.totalTokens);
  const limit = Math.floor(used / 0.8);
  await setPolicy(machine, chat, { limits: { tokensPerDay: limit } });
  const ask = async (question: string, status: string): Promise<void> => {
    await chat.newChat();
    await chat.ask(question);
    await chat.becomes(status);
  };
  await ask('Hello', 'complete');
  const words = ` of the ${limit.toLocaleString('en')} tokens of today are used`;
  await expect(chat.messages).toContainText(words);
  await expect(chat.messages).toContainText('Your administrator has set this limit in /etc/svc/policy.json.');
  await workbench.shoot('limits-tokens-near');
  // The warning is gone with the limit, and comes back with it.
  machine.writePolicy({});
  await expect(chat.messages).toHaveCount(0);
  await setPolicy(machine, chat, { limits: { tokensPerDay: limit } });
  await ask(long, 'complete');
  await ask('Hello', 'failed');
  await expect(chat.cards).toContainText('Nothing was sent: a daily limit is reached');
  await expect(chat.cards).toContainText(words);
  await expect(chat.cards).toContainText('It is for a day in UTC, which ends at ');
  const [figures = 'none'] = /[\d,]+ of the/.exec(await chat.cards.innerText()) ?? [];
  await expect(chat.messages).toContainText(figures);
  await workbench.shoot('limits-tokens-reached');
  await expectChats(service, 3);
  await machine.setClock(workbench, day);
  await chat.action('retry').click();
  await chat.becomes('complete');
  await expect(chat.messages).toHaveCount(0);
  await workbench.shoot('limits-tokens-next-day');
});
