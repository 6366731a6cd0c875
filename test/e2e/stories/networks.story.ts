import { createAuthority, today } from '../../tools/certificate.ts';
import { startProxy } from '../../tools/proxyServer.ts';
import { TemporaryFiles } from '../../tools/temporaryFiles.ts';
import { startTlsFront } from '../../tools/tlsFront.ts';
import { expect, key, test as story } from '../fixtures.ts';

const day = 86_400_000;
const expired = { notBefore: new Date(Date.now() - 3 * day), notAfter: new Date(Date.now() - day) };

/** The service behind untrusted certificates, each as a separate connection. */
const certificates = story.extend({
  // From the start: no other connection has a key, and the prompt for a key would not show which connection is
  // selected.
  workspaceSettings: { 'svc.connection': 'unknown' },
  userSettings: async ({ service }, use) => {
    const files = new TemporaryFiles();
    const known = createAuthority();
    const fronts = await Promise.all(
      [
        createAuthority('stranger').issue({ host: '127.0.0.1', ...today }),
        known.issue({ host: '127.0.0.1', ...expired }),
        known.issue({ host: 'other.svc.test', ...today }),
        known.issue({ host: '127.0.0.1', ...today }),
      ].map((certificate) => startTlsFront(service.port, certificate)),
    );
    const names = ['unknown', 'expired', 'other-host', 'good'];
    await use({
      'svc.network.caFile': files.write(known.cert),
      'svc.connections': fronts.map(({ port }, index) => ({
        name: names[index],
        baseUrl: `https://127.0.0.1:${port}/api/v1`,
      })),
    });
    for (const front of fronts) front.close();
    files.remove();
  },
});

certificates('a certificate that cannot be trusted is said, and there is no way round', async ({ workbench, chat }) => {
  await chat.open();
  for (const [name, words] of [
    ['unknown', /is not signed by a trusted authority.*svc\.network\.caFile/],
    ['expired', /The certificate has expired/],
    ['other-host', /The certificate is for another host/],
  ] as const) {
    await certificates.step(name, async () => {
      workbench.writeWorkspaceSettings({ 'svc.connection': name });
      await expect(chat.notice).toContainText('Store your API key');
      await workbench.setKey(key);
      await workbench.answerDialog('Store Anyway');
      await expect(chat.notice).toBeHidden();
      await chat.ask(name);
      await chat.becomes('failed');
      await expect(chat.cards).toContainText('is not trusted');
      await expect(chat.cards).toContainText(words);
      await expect(chat.cards.getByRole('button')).toHaveText(['Open Settings', 'Troubleshoot', 'Retry']);
    });
  }
  workbench.writeWorkspaceSettings({ 'svc.connection': 'good' });
  await expect(chat.notice).toContainText('Store your API key');
  await workbench.setKey(key);
  await workbench.heard('is valid and was stored');
  await chat.ask('And now?');
  await chat.becomes('complete');
});

/** A service whose name only a proxy can resolve; the proxy requires a password. */
const behindProxy = story.extend({
  userSettings: async ({ service }, use) => {
    const files = new TemporaryFiles();
    const authority = createAuthority();
    const host = 'api.svc.test';
    const front = await startTlsFront(service.port, authority.issue({ host, ...today }));
    const proxy = await startProxy({ names: [host], credentials: 'person:password' });
    await use({
      'svc.baseUrl': `https://${host}:${front.port}/api/v1`,
      'svc.network.caFile': files.write(authority.cert),
      'http.proxy': proxy.url,
    });
    front.close();
    await proxy.close();
    files.remove();
  },
});

behindProxy('a proxy that asks for sign-in is named, and a cancel is none', async ({ workbench, chat, service }) => {
  await chat.open();
  await workbench.setKey(key);
  await workbench.answerDialog('Store Anyway');
  await workbench.heard('was stored without a check');
  await expect(chat.notice).toBeHidden();
  await chat.ask('Hello');
  await chat.becomes('failed');
  await expect(chat.cards).toContainText(/The proxy 127\.0\.0\.1:\d+ requires sign-in/);
  await expect(chat.action('openSettings')).toBeVisible();
  expect(service.chats).toHaveLength(0);
});

/** No server listens at the proxy's address. */
const proxyDown = story.extend({
  userSettings: async ({ service: _ }, use) =>
    use({ 'svc.baseUrl': 'https://api.svc.test/api/v1', 'http.proxy': 'http://127.0.0.1:9' }),
});

proxyDown('a proxy that is down is named', async ({ workbench, chat }) => {
  await chat.open();
  await workbench.setKey(key);
  await workbench.answerDialog('Store Anyway');
  await workbench.heard('was stored without a check');
  await expect(chat.notice).toBeHidden();
  await chat.ask('Hello');
  await expect(chat.cards).toContainText('The proxy 127.0.0.1:9 cannot be reached', { timeout: 60_000 });
});
