import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServiceClient } from '../../src/client/serviceClient.ts';
import * as scanner from '../../src/gate/secrets/scanner.ts';
import { resolvePolicy } from '../../src/policy/compliance/resolve.ts';
import { resolveConnection } from '../../src/policy/connection.ts';
import { resolveRequestOptions } from '../../src/policy/requestOptions.ts';
import { resolvePreview } from '../../src/policy/resolvePreview.ts';
import { createDispatch, type Dispatch } from '../../src/send/dispatch.ts';
import { AuditLog } from '../../src/store/audit/auditLog.ts';
import { recognizing } from '../unit/session/recognition.ts';

// Not in the system's folder for temporary files: if that is in memory, a sync costs nothing.
export const benchFolder = fileURLToPath(new URL('../../test-results/bench', import.meta.url));
export const apiKey = 'svc_ent_demo_0123456789abcdef';

/** The way of a request through the gate and the audit log to a local service, without VS Code. */
export function localDispatch(baseUrl: string): { readonly dispatch: Dispatch; dispose(): Promise<void> } {
  mkdirSync(benchFolder, { recursive: true });
  const folder = mkdtempSync(join(benchFolder, 'audit-'));
  const audit = new AuditLog({
    folder,
    versions: () => ({ 'svc-coder': '0.0.0' }),
    ledger: async () => `svc-coder/${'0'.repeat(32)}`,
    anchors: { expect: () => undefined, reach: () => undefined, delete: async () => undefined },
  });
  const logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const client = createServiceClient({ logger, userAgent: 'bench', network: () => ({}) });
  const layers = [{ layer: 'user' as const, values: { 'svc.baseUrl': baseUrl } }];
  const dispatch = createDispatch({
    requestContext: ({ modelKey }) => ({
      isTrusted: true,
      managed: { state: 'none' },
      policy: resolvePolicy(layers),
      connection: resolveConnection(layers),
      options: resolveRequestOptions(layers, modelKey),
      preview: resolvePreview(layers),
      settingsFiles: [],
    }),
    exclusion: async () => null,
    recognition: async () => recognizing({}),
    scanner: async () => scanner,
    apiKey: async () => apiKey,
    userAgent: 'bench',
    audit,
    requireDelivery: async () => undefined,
    reserve: async (_, record) => void (await record()),
    logger,
    chatClient: async () => client,
  });
  return {
    dispatch,
    async dispose() {
      await audit.dispose();
      await client.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
