import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { promisify } from 'node:util';
import type { NetworkOptions } from '../../../src/client/transport/network.ts';
import type { ServiceError } from '../../../src/util/errors.ts';
import { createAuthority, today } from '../../tools/certificate.ts';
import { chunked, delta, done, finish, lastChunk, sseHead } from '../../tools/rawServer.ts';
import { TemporaryFiles } from '../../tools/temporaryFiles.ts';
import { Theatre } from './harness.ts';

const run = promisify(execFile);
/** Why the file cannot be used. */
const faultOf = (error: ServiceError | undefined): string | undefined =>
  error?.kind === 'certificate' ? error.details.fileFault : undefined;

const fullAnswer = [sseHead, chunked(delta('Text')), chunked(finish()), chunked(done), lastChunk];

describe('client: certificates', () => {
  const theatre = new Theatre();
  const files = new TemporaryFiles();
  const authority = createAuthority();
  const server = authority.issue({ host: '127.0.0.1', ...today });
  const person = authority.issue({ host: 'person', ...today });
  const stranger = createAuthority('another authority').issue({ host: 'stranger', ...today });
  const caFile = files.write(authority.cert, 'ca.pem');
  const clientCertificate = files.write(person.cert, 'person.pem');
  const clientKey = files.write(person.key, 'person.key');
  const wantsClient: TlsOptions = { ...server, ca: authority.cert, requestCert: true, rejectUnauthorized: true };
  after(() => files.remove());
  afterEach(() => theatre.tearDown());

  const open = (network: NetworkOptions | (() => NetworkOptions), tls: TlsOptions = server) =>
    theatre.stage(
      ({ sendEach }) => sendEach(fullAnswer),
      { network: typeof network === 'function' ? network : () => network },
      tls,
    );

  describe('trusted authorities', () => {
    it('trusts an authority in svc.network.caFile, also between other text', async () => {
      const many = files.write(`# ours\n${createAuthority('another authority').cert}\r\nand\r\n${authority.cert}`);
      assert.equal((await (await open({ caFile: many })).chat()).text, 'Text');
    });

    it('trusts an authority in NODE_EXTRA_CA_CERTS', async () => {
      assert.equal((await (await open({ env: { NODE_EXTRA_CA_CERTS: caFile } })).chat()).text, 'Text');
    });

    it('logs an unreadable NODE_EXTRA_CA_CERTS and keeps the other authorities', async () => {
      const { chat, log } = await open({ caFile, env: { NODE_EXTRA_CA_CERTS: '/no/such.pem' } });
      assert.equal((await chat()).text, 'Text');
      assert.match(log.join('\n'), /NODE_EXTRA_CA_CERTS is not used: .*\/no\/such\.pem.*ENOENT/);
    });

    // A child process, because the system’s list and the switch are read once per process.
    it('trusts system authorities unless http.systemCertificates is off; ignores NODE_TLS_REJECT_UNAUTHORIZED', async () => {
      const { endpoint } = await open({});
      const client = new URL('../../../src/client/serviceClient.ts', import.meta.url).href;
      const script = `
        import { createServiceClient } from ${JSON.stringify(client)};
        const silent = () => {};
        const logger = { info: silent, debug: silent, trace: silent, warn: silent, error: silent };
        for (const systemCertificates of [true, false]) {
          const network = () => ({ systemCertificates });
          const service = createServiceClient({ logger, userAgent: 'test', network, rules: { maxRetries: 0 } });
          await service.health({ baseUrl: '${endpoint.baseUrl}' }, new AbortController().signal)
            .then(() => console.log('accepted'), (error) => console.log(error.externalCode));
          await service.dispose();
        }`;
      const env = { ...process.env, SSL_CERT_FILE: caFile, NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { env });
      assert.deepEqual(stdout.trim().split('\n'), ['accepted', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']);
    });

    it('rejects an unknown authority', async () => {
      const { error, waits } = await (await open({})).chat();
      assert.deepEqual(
        [error?.kind, error?.externalCode, waits.length],
        ['certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 0],
      );
    });
  });

  describe('client certificates', () => {
    it('sends a client certificate with its key', async () => {
      const { chat } = await open({ caFile, clientCertificate, clientKey }, wantsClient);
      assert.equal((await chat()).text, 'Text');
    });

    it('reads certificate and key from one file', async () => {
      const both = files.write(person.key + person.cert);
      assert.equal((await (await open({ caFile, clientCertificate: both }, wantsClient)).chat()).text, 'Text');
    });

    it('a request without the required certificate fails with a certificate error and is not retried', async () => {
      const { chat, server: raw } = await open({ caFile }, wantsClient);
      const { error, waits } = await chat();
      assert.deepEqual([error?.kind, waits.length, raw.requests.length], ['certificate', 0, 0]);
      assert.match(error?.externalCode ?? '', /ALERT/);
    });

    it('reads a renewed certificate without a change of settings', async () => {
      const renewed = files.write(stranger.cert + stranger.key, 'renewed.pem');
      const { chat } = await open({ caFile, clientCertificate: renewed }, wantsClient);
      // Node's TLS server closes the connection of an unknown client without a reason.
      assert.notEqual((await chat()).error, undefined);
      files.write(`${person.cert}${person.key}\n`, 'renewed.pem');
      assert.equal((await chat()).text, 'Text');
    });
  });

  describe('unusable files are named with the reason before anything is sent', () => {
    const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    const encrypted = String(
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
        type: 'pkcs8',
        format: 'pem',
        cipher: 'aes-256-cbc',
        passphrase: 'x',
      }),
    );
    const folder = tmpdir();
    const missing = join(folder, 'svc-no-such-file.pem');
    const text = files.write('hello');
    const damaged = files.write(pem);
    const cases: readonly (readonly [string, NetworkOptions, string, string, string | undefined])[] = [
      ['no such CA file', { caFile: missing }, 'ca-file', missing, 'ENOENT'],
      ['a folder', { caFile: folder }, 'ca-file', folder, 'EISDIR'],
      ['a relative path', { caFile: 'ca.pem' }, 'ca-file', 'ca.pem', 'not-absolute'],
      ['text', { caFile: text }, 'ca-file', text, 'no-certificate'],
      ['a damaged certificate', { caFile: damaged }, 'ca-file', damaged, 'malformed'],
      ['no client certificate', { clientCertificate: missing, clientKey }, 'client-certificate', missing, 'ENOENT'],
      ['a key alone', { clientKey }, 'client-certificate', clientKey, 'key-alone'],
      ['no key anywhere', { clientCertificate }, 'client-key', clientCertificate, 'no-key'],
      ['no key file', { clientCertificate, clientKey: missing }, 'client-key', missing, 'ENOENT'],
      ...[
        ['an encrypted key', files.write(encrypted), 'client-key', 'encrypted'] as const,
        [
          'a damaged key',
          files.write(pem.replaceAll('CERTIFICATE', 'PRIVATE KEY')),
          'client-key',
          'malformed',
        ] as const,
        ['another key', files.write(stranger.key), 'key-mismatch', undefined] as const,
      ].map(
        ([name, file, code, reason]) => [name, { clientCertificate, clientKey: file }, code, file, reason] as const,
      ),
    ];
    for (const [name, network, code, file, reason] of cases) {
      it(name, async () => {
        const { chat, server: raw } = await open(network);
        const { error, waits } = await chat();
        assert.deepEqual(
          [error?.kind, error?.code, error?.file, faultOf(error), waits.length],
          ['certificate', code, file, reason, 0],
        );
        assert.equal(raw.openSockets(), 0);
      });
    }

    it('the next request succeeds once the file is repaired', async () => {
      const file = files.write('hello', 'mended.pem');
      const { chat } = await open({ caFile: file });
      assert.equal(faultOf((await chat()).error), 'no-certificate');
      files.write(authority.cert, 'mended.pem');
      assert.equal((await chat()).text, 'Text');
    });
  });

  describe('certificate checks cannot be turned off', () => {
    for (const stack of ['auto', 'undici', 'vscode'] as const) {
      it(`NODE_TLS_REJECT_UNAUTHORIZED=0 makes requests fail (${stack})`, async () => {
        const { chat, server: raw } = await open({ caFile, stack, env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
        const { error } = await chat();
        assert.deepEqual([error?.kind, error?.code, raw.openSockets()], ['certificate', 'tls-check-off', 0]);
      });
    }
  });
});
