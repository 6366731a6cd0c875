// One policy for many machines: signed, and fetched over TLS from a server with a certificate of the organization's own authority.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Authority, createAuthority, today } from '../../tools/certificate.ts';
import { type PolicyServer, startPolicyServer } from '../../tools/policyServer.ts';
import { policySigner, signedPolicy } from '../../tools/signedPolicy.ts';
import { TemporaryFiles } from '../../tools/temporaryFiles.ts';
import { test as base, expect, expectChats, key } from '../fixtures.ts';
import { Machine, machineExtension } from '../machine.ts';
import type { Workbench } from '../workbench.ts';

const minute = 60_000;
const hour = 60 * minute;
const host = '127.0.0.1';
const publicKeys = [policySigner('policy.example.com').vkey];

interface Organization {
  readonly machine: Machine;
  readonly authority: Authority;
  readonly server: PolicyServer;
  /** What the policy file of the machine says about the server. */
  readonly source: object;
  /** Signs a policy, which the server then delivers. Times are from now. */
  deliver(serial: number, policy: object, times?: { readonly issued?: number; readonly expires?: number }): string;
}

const test = base.extend<{ readonly organization: Organization }>({
  organization: async ({ computer }, use) => {
    const authority = createAuthority();
    const server = await startPolicyServer(authority.issue({ host, ...today }));
    const { origin } = server;
    const at = (ms: number): string => `${new Date(Date.now() + ms).toISOString().slice(0, 19)}Z`;
    await use({
      machine: new Machine(computer),
      authority,
      server,
      source: { url: `${origin}/svc.txt`, publicKeys },
      deliver(serial, policy, { issued = -24 * hour, expires = 24 * hour } = {}) {
        const times = { issued: at(issued), expires: at(expires) };
        server.answer = signedPolicy({ version: 1, serial, ...times, origins: [origin], policy });
        return server.answer;
      },
    });
    await server.close();
  },
  userSettings: async ({ organization: { authority } }, use) => {
    const files = new TemporaryFiles();
    await use({ 'svc.network.caFile': files.write(authority.cert) });
    files.remove();
  },
});

test.use({ isAlone: true, otherExtension: machineExtension });

/** Shows the managed policy, and returns its text when it has these words. The editor wraps lines, also within a word. */
async function show(workbench: Workbench, words: RegExp): Promise<string> {
  const text = async (): Promise<string> => (await workbench.editorText()).replaceAll('\n', '');
  await workbench.run('Svc: Show Managed Policy');
  await expect.poll(text).toMatch(words);
  return text();
}

const level = (securityLevel: string) => ({ compliance: { securityLevel } });

test('the first request waits for it, a newer one applies, and what is not its successor is refused', async ({
  organization: { machine, server, source, deliver },
  workbench,
  chat,
  service,
  computer,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  const ask = async (question: string, status: string): Promise<void> => {
    await chat.ask(question);
    await chat.becomes(status);
  };
  const levels = () => service.chats.map(({ headers }) => headers['svc-security-level']);

  const first = deliver(1, level('high'));
  const release = server.hold();
  machine.writePolicy({ source });
  await expect(chat.notice).toContainText('The managed policy has not been fetched yet');
  await expect(workbench.statusItem).toHaveText('Svc: policy not fetched yet');
  await expect(chat.posture).toHaveText('policy not fetched yet');
  await workbench.shoot('policy-not-yet');
  await chat.composer.fill('Hello');
  await chat.composer.press('Enter');
  // The extension waits five seconds for the answer.
  await expect.poll(() => server.requests, { intervals: [50] }).toBe(1);
  expect(service.chats).toHaveLength(0);
  release();
  await expect(chat.turns).toHaveCount(1);
  await chat.becomes('complete');
  expect(levels()).toEqual(['high']);
  const shown = await show(workbench, /Serial 1, valid from 20/);
  expect(shown).toContain(`${server.origin}/svc.txt`);
  expect(shown).toContain('"svc.compliance.securityLevel": "high"');
  await workbench.shoot('policy-in-force');

  deliver(2, { ...level('high'), allowedModels: ['svc/none'] });
  await machine.setClock(workbench, hour);
  await ask('And now?', 'failed');
  await expect(chat.cards).toContainText('svc/none');
  await workbench.shoot('policy-forbids');
  deliver(3, level('maximum'));
  await machine.setClock(workbench, 2 * hour);
  await ask('And with the next one?', 'complete');
  expect(levels()).toEqual(['high', 'maximum']);

  server.answer = first;
  await machine.setClock(workbench, 3 * hour);
  await ask('And with the first one again?', 'complete');
  await show(workbench, /The fetched policy has the serial 1, which is lower than 3\./);
  await expect(chat.messages).toContainText(
    'The managed policy could not be renewed. The current one applies until 20',
  );
  await expect(chat.messages).toContainText('has the serial 1, which is lower than 3. Contact your administrator.');
  await workbench.shoot('policy-older');

  server.answer = deliver(4, {}).replace('"serial": 4', '"serial": 5');
  await machine.setClock(workbench, 4 * hour);
  await ask('And with a wrong signature?', 'complete');
  await show(workbench, /The fetched policy has no valid signature of a known key\./);

  await server.close();
  await machine.setClock(workbench, 5 * hour);
  await ask('And without the server?', 'complete');
  const kept = await show(workbench, /Cannot reach 127\.0\.0\.1:\d+\. The connection failed with ECONNREFUSED\./);
  await expect(chat.messages).toContainText('could not be fetched');
  await workbench.shoot('policy-unreachable');
  expect(kept).toMatch(/Serial 3, valid from 20/);
  // A window that opens uses the kept copy.
  await workbench.reload();
  await expect(workbench.statusItem).toContainText('maximum');
  await chat.open();
  await ask('And in a window that opens?', 'complete');
  expect(levels()).toEqual(['high', ...Array.from({ length: 5 }, () => 'maximum')]);

  // The audit log names both policies that were in force, by the digests that the user was shown.
  await workbench.run('Svc: Verify Audit Log');
  await workbench.heard('The audit log is intact.');
  const files = readdirSync(computer.dataDir, { recursive: true, encoding: 'utf8' });
  const log = files
    .filter((name) => /audit[\\/][^\\/]*\.jsonl$/.test(name))
    .map((name) => join(computer.dataDir, name));
  const records = log.map((path) => readFileSync(path, 'utf8')).join('');
  for (const text of [shown, kept]) {
    const digest = /SHA-256 ([0-9a-f]{64})/.exec(text)?.[1] ?? 'none';
    expect(records).toContain(`"digest":"${digest}"`);
  }
});

test('a wrong clock of the machine is named, and the policy before it stays in force', async ({
  organization: { machine, authority, server, source, deliver },
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  deliver(1, level('high'));
  machine.writePolicy({ source });
  await show(workbench, /Serial 1, valid from 20/);

  // The system's own TLS reads the clock of the system, which is right. So what is valid for half an hour by the right time is
  // valid in half an hour by this one.
  server.use(authority.issue({ host, notBefore: new Date(Date.now() + hour / 2), notAfter: today.notAfter }));
  deliver(2, level('maximum'));
  await machine.setClock(workbench, -hour);
  await show(workbench, /The certificate is not valid yet\. Check the clock of this machine\./);
  await workbench.shoot('policy-certificate-not-yet-valid');
  await chat.ask('An hour behind');
  await chat.becomes('complete');

  server.use(authority.issue({ host, ...today }));
  deliver(2, level('maximum'), { issued: -minute });
  await machine.setClock(workbench, -hour - 6 * minute);
  await show(workbench, /The fetched policy was issued at 20[^ ]+, and the clock of this computer shows 20/);
  await workbench.shoot('policy-in-the-future');
  await chat.ask('An hour behind, with a policy of now');
  await chat.becomes('complete');

  await machine.setClock(workbench, 0);
  await chat.ask('The right time');
  await chat.becomes('complete');
  expect(service.chats.map(({ headers }) => headers['svc-security-level'])).toEqual(['high', 'high', 'maximum']);

  deliver(3, level('high'), { expires: hour / 2 });
  await machine.setClock(workbench, hour);
  await chat.ask('An hour ahead');
  await chat.becomes('failed');
  await expect(chat.cards).toContainText(
    /The delivered policy applies from 20.*, and the clock of this computer shows 20/,
  );
  await workbench.shoot('policy-expired');
  server.use(authority.issue({ host, notBefore: today.notBefore, notAfter: new Date(Date.now() - minute) }));
  await machine.setClock(workbench, hour + 6 * minute);
  await show(workbench, /The certificate has expired, or the clock of this machine is wrong\./);
  await workbench.shoot('policy-certificate-expired');
  await expectChats(service, 3);
  await machine.setClock(workbench, 0);
  await chat.action('retry').click();
  await chat.becomes('complete');
  await expectChats(service, 4);
});

test('a policy that cannot be stored applies until the window is closed, and the user can see it', async ({
  organization: { machine, source, deliver },
  workbench,
  chat,
  computer,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  deliver(1, level('high'));
  // Something else has the name of the file.
  const kept = join(computer.dataDir, 'User/globalStorage/svc.svc-coder/policy.txt');
  mkdirSync(join(kept, 'full'), { recursive: true });
  machine.writePolicy({ source });
  await chat.ask('Hello');
  await chat.becomes('complete');
  await expect(chat.posture).toHaveText('high');
  const words = /The fetched policy could not be stored \(E\w+\), so it applies only until this window is closed\./;
  await expect(chat.messages).toContainText(words);
  await workbench.shoot('policy-not-stored');
  await chat.posture.click();
  await expect(workbench.quickPick.filter({ hasText: 'Managed Policy' })).toContainText(words);
  await workbench.shoot('policy-not-stored-list');
  await workbench.choose('Managed Policy');
  await expect.poll(async () => (await workbench.editorText()).replaceAll('\n', '')).toMatch(words);
  rmSync(kept, { recursive: true });
  await machine.setClock(workbench, 6 * minute);
  await chat.ask('And now?');
  await chat.becomes('complete');
  await expect(chat.messages).toHaveCount(0);
});

test('an address without TLS is refused, and an unknown authority is named with what to do', async ({
  organization: { machine, server, source, deliver },
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  deliver(1, level('high'));
  const { port } = new URL(server.origin);
  machine.writePolicy({ source: { ...source, url: `http://policy.example.com:${port}/svc.txt` } });
  await expect(chat.notice).toContainText(/Found "http:\/\/policy\.example\.com.*" at source\.url\. Allowed: https:/);
  await workbench.shoot('policy-without-tls');
  await chat.ask('Hello');
  await chat.becomes('failed');
  expect(server.requests).toBe(0);

  server.use(createAuthority('stranger').issue({ host, ...today }));
  machine.writePolicy({ source });
  await expect(chat.notice).toContainText('The managed policy has not been fetched yet');
  await chat.ask('Hello');
  await chat.becomes('failed');
  await expect(chat.cards).toContainText('No policy has been delivered to this machine yet.');
  await expect(chat.cards).toContainText('is not signed by a trusted authority');
  await expect(chat.cards).toContainText('set svc.network.caFile to your company’s CA certificate');
  await workbench.shoot('policy-unknown-authority');
  expect(service.chats).toHaveLength(0);
});
