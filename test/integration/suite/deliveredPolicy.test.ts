import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { policySigner, signedPolicy } from '../../tools/signedPolicy.ts';
import { openStageWithKey, type Stage } from './stage.ts';

interface Result {
  readonly status?: string;
  readonly error?: { readonly kind: string; readonly code?: string };
}

const run = <T = Result>(command: string, options?: unknown): Thenable<T> =>
  vscode.commands.executeCommand(command, options);
const ask = (prompt: string): Thenable<Result> => run('svc.openChat', { prompt });

describe('a policy that is delivered', () => {
  const file = process.env.SVC_TEST_POLICY_FILE ?? assert.fail('SVC_TEST_POLICY_FILE is not set');
  let stage: Stage;
  let server: Server;
  let origin = '';
  let answer = '';
  let location = '';
  let headers: Readonly<Record<string, unknown>>[] = [];
  let kept = '';
  beforeEach(async () => {
    stage = await openStageWithKey();
    await run('svc.newChat');
    stage.service.clear();
    [headers, location] = [[], ''];
    server = createServer((request, response) => {
      headers.push(request.headers);
      if (location !== '') response.writeHead(302, { location });
      response.end(answer);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    kept = join(dirname((await run<{ folder: string }>('svc.auditLog.verify')).folder), 'policy.txt');
  });
  afterEach(async () => {
    rmSync(file, { force: true });
    rmSync(kept, { force: true });
    await run('svc.showPolicy');
    server.close();
    await stage.close();
  });

  const deliver = (serial: number, policy: object): void => {
    const [issued, expires] = [-60_000, 3_600_000].map(
      (ms) => `${new Date(Date.now() + ms).toISOString().slice(0, 19)}Z`,
    );
    answer = signedPolicy({ version: 1, serial, issued, expires, origins: [origin], policy });
  };
  const name = (): void => {
    const source = { url: `${origin}/policy`, publicKeys: [policySigner('policy.example.com').vkey] };
    writeFileSync(file, JSON.stringify({ version: 1, compliance: { securityLevel: 'high' }, source }));
  };
  /** Reads the file of the machine again. */
  const shown = (): Thenable<{ state: string }> => run('svc.showPolicy');

  it('applies to the first request together with the file of the machine, and no key is sent for it', async () => {
    deliver(1, { compliance: { audit: true, frameworks: ['hipaa'] } });
    name();
    assert.equal((await shown()).state, 'in-force');
    assert.equal((await ask('Hello')).status, 'complete');
    const sent = stage.service.chats[0]?.headers ?? {};
    assert.deepEqual(
      [sent['svc-security-level'], sent['svc-audit-enabled'], sent['svc-compliance-frameworks']],
      ['high', 'true', 'hipaa'],
    );
    assert.ok(headers.length > 0 && headers.every(({ authorization }) => authorization === undefined));
    assert.equal(readFileSync(kept, 'utf8'), answer);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /Serial 1, valid from 20/);
    assert.ok(text.includes(`${origin}/policy`));
  });

  it('sends nothing if it is missing, was changed, or is redirected', async () => {
    deliver(1, {});
    const signed = answer;
    for (const [what, bad] of [
      ['missing', ''],
      ['changed', signed.replace('"serial": 1', '"serial": 2')],
    ] as const) {
      answer = bad;
      name();
      assert.equal((await shown()).state, 'broken', what);
      const { error } = await ask('Hello');
      assert.deepEqual([error?.kind, error?.code], ['policy', 'managed-broken'], what);
      // A new source is tried immediately.
      rmSync(file);
      await shown();
    }
    answer = signed;
    location = `${origin}/elsewhere`;
    name();
    assert.equal((await shown()).state, 'broken');
    assert.equal(stage.service.chats.length, 0);
    assert.ok(!existsSync(kept));
  });

  it('can forbid what the file of the machine allows, and never allows what that forbids', async () => {
    deliver(1, { allowedModels: ['svc/none'], compliance: { securityLevel: 'standard' } });
    name();
    assert.equal((await shown()).state, 'in-force');
    assert.equal((await ask('Hello')).error?.kind, 'policy');
    assert.equal(stage.service.chats.length, 0);
  });
});
