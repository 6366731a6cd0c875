import assert from 'node:assert/strict';
import type { TlsOptions } from 'node:tls';
import * as vscode from 'vscode';
import { systemProxyResolver } from '../../../src/platform/network/systemProxy.ts';
import { createAuthority, today } from '../../tools/certificate.ts';
import { type ProxyOptions, type ProxyServer, startProxy } from '../../tools/proxyServer.ts';
import { TemporaryFiles } from '../../tools/temporaryFiles.ts';
import { startTlsFront } from '../../tools/tlsFront.ts';
import { openStage, type Stage, storeKey } from './stage.ts';

interface Result {
  readonly ok: boolean;
  readonly answer?: string;
  readonly error?: { readonly kind: string; readonly code?: string; readonly status?: number };
}

const name = 'api.svc.test';
const checkHealth = (): Thenable<Result> => vscode.commands.executeCommand('svc.checkHealth');

describe('networks', () => {
  const authority = createAuthority();
  const certificate = authority.issue({ host: name, ...today });
  const local = authority.issue({ host: '127.0.0.1', ...today });
  const person = authority.issue({ host: 'person', ...today });
  const files = new TemporaryFiles();
  const caFile = files.write(authority.cert);
  const environment = { ...process.env };
  const open: { close(): unknown }[] = [];
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(async () => {
    process.env = { ...environment };
    await stage.close();
    for (const opened of open.splice(0)) await opened.close();
  });
  after(() => files.remove());

  /** Puts TLS in front of the local service. Returns its port. */
  const secure = async (options: TlsOptions): Promise<number> => {
    const front = await startTlsFront(stage.service.port, options);
    open.push(front);
    return front.port;
  };

  const proxyWith = async (options: ProxyOptions = {}): Promise<ProxyServer> => {
    const proxy = await startProxy({ names: [name], ...options });
    open.push(proxy);
    return proxy;
  };

  /** Moves the service to a name that only a proxy can resolve, behind a private authority. */
  const moveAway = async (options: TlsOptions = certificate): Promise<number> => {
    const port = await secure(options);
    await stage.set('svc.baseUrl', `https://${name}:${port}/api/v1`);
    await stage.set('svc.network.caFile', caFile);
    return port;
  };

  it('rejects a private authority, then trusts it through svc.network.caFile, without a restart', async () => {
    await stage.set('svc.baseUrl', `https://127.0.0.1:${await secure(local)}/api/v1`);
    assert.equal((await checkHealth()).error?.kind, 'certificate');
    await stage.set('svc.network.caFile', caFile);
    assert.equal((await checkHealth()).ok, true);
  });

  it('checks certificates even if http.proxyStrictSSL is false', async () => {
    await stage.set('svc.baseUrl', `https://127.0.0.1:${await secure(local)}/api/v1`);
    await stage.set('http.proxyStrictSSL', false);
    assert.equal((await checkHealth()).error?.kind, 'certificate');
  });

  it('trusts an authority in NODE_EXTRA_CA_CERTS', async () => {
    await stage.set('svc.baseUrl', `https://127.0.0.1:${await secure(local)}/api/v1`);
    process.env.NODE_EXTRA_CA_CERTS = caFile;
    assert.equal((await checkHealth()).ok, true);
  });

  it('refuses requests under NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    await stage.set('svc.baseUrl', `https://127.0.0.1:${await secure(local)}/api/v1`);
    await stage.set('svc.network.caFile', caFile);
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    for (const stack of ['undici', 'vscode']) {
      await stage.set('svc.network.stack', stack);
      assert.equal((await checkHealth()).error?.code, 'tls-check-off');
    }
  });

  it('sends a client certificate', async () => {
    const port = await secure({ ...local, ca: authority.cert, requestCert: true, rejectUnauthorized: true });
    await stage.set('svc.baseUrl', `https://127.0.0.1:${port}/api/v1`);
    await stage.set('svc.network.caFile', caFile);
    assert.equal((await checkHealth()).error?.kind, 'certificate');
    await stage.set('svc.network.clientCertificate', files.write(person.cert));
    await stage.set('svc.network.clientKey', files.write(local.key));
    assert.equal((await checkHealth()).error?.code, 'key-mismatch');
    await stage.set('svc.network.clientKey', files.write(person.key));
    assert.equal((await checkHealth()).ok, true);
  });

  it('streams an answer through http.proxy with a password, from a service behind a private authority', async () => {
    const proxy = await proxyWith({ credentials: 'me:secret' });
    const port = await moveAway();
    await stage.set('http.proxy', proxy.url);
    const refused = await checkHealth();
    assert.deepEqual([refused.error?.kind, refused.error?.code], ['proxy', 'proxy-auth']);
    await stage.set('http.proxy', proxy.url.replace('://', '://me:secret@'));
    await storeKey();
    await vscode.commands.executeCommand('svc.newChat');
    const asked = await vscode.commands.executeCommand<Result>('svc.openChat', { prompt: 'Hello' });
    assert.ok(asked.answer);
    const line = `CONNECT ${name}:${port}`;
    assert.ok(proxy.asked.some((one) => one.hasPassed));
    assert.ok(
      proxy.asked.every((one) => one.line === line),
      'nothing but tunnels to the service',
    );
  });

  it('uses the proxy of the environment, unless http.noProxy excludes the service', async () => {
    const proxy = await proxyWith();
    await moveAway();
    process.env.HTTPS_PROXY = proxy.url;
    assert.equal((await checkHealth()).ok, true);
    assert.equal(proxy.asked.length, 1);
    await stage.set('http.noProxy', ['.svc.test']);
    assert.equal((await checkHealth()).error?.kind, 'network');
    assert.equal(proxy.asked.length, 1);
  });

  it('connects directly to this machine, regardless of http.proxy', async () => {
    const proxy = await proxyWith();
    await stage.set('http.proxy', proxy.url);
    assert.equal((await checkHealth()).ok, true);
    assert.equal(proxy.asked.length, 0);
  });

  it('reports a proxy that is down', async () => {
    const proxy = await startProxy();
    await proxy.close();
    await moveAway();
    await stage.set('http.proxy', proxy.url);
    const { error } = await checkHealth();
    assert.deepEqual([error?.kind, error?.code], ['proxy', 'ECONNREFUSED']);
  });

  it('uses VS Code’s network stack with its own proxy support', async () => {
    await stage.set('svc.network.stack', 'vscode');
    assert.equal((await checkHealth()).ok, true);
    const proxy = await proxyWith();
    await moveAway();
    await stage.set('http.proxy', proxy.url);
    // VS Code does not trust our authority, so the tunnel is made and the certificate is rejected.
    assert.equal((await checkHealth()).error?.kind, 'certificate');
    assert.deepEqual([proxy.asked.length > 0, proxy.asked.every((one) => one.hasPassed)], [true, true]);
  });

  it('tries VS Code’s stack for a Kerberos proxy, and reports a refusal as an error, not a cancellation', async () => {
    const proxy = await proxyWith({ offers: ['Negotiate'] });
    await moveAway();
    await stage.set('http.proxy', proxy.url);
    const { error } = await checkHealth();
    assert.deepEqual([error?.kind, error?.code], ['proxy', 'proxy-auth']);
    assert.equal(proxy.asked.length, 2, 'asked by our stack and by the host’s');
  });

  it('blocks requests for an unknown stack', async () => {
    await stage.set('svc.network.stack', 'curl');
    assert.equal((await checkHealth()).error?.kind, 'policy');
    assert.deepEqual(stage.service.received, []);
  });

  it('finds VS Code’s own resolver, which honors http.proxy', async () => {
    const resolve = systemProxyResolver();
    assert.ok(resolve);
    const proxy = await proxyWith();
    await stage.set('http.proxy', proxy.url);
    assert.equal(new URL((await resolve(`https://${name}/`)) ?? '').host, proxy.host);
  });
});
