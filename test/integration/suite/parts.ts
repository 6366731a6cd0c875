import * as vscode from 'vscode';
import { KeyStore } from '../../../src/host/secrets.ts';
import type { ManagedSource } from '../../../src/host/standing.ts';
import type { ManagedPolicy } from '../../../src/policy/managedPolicy.ts';
import type { Logger } from '../../../src/util/logger.ts';

export const silent: Logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** A managed policy that asks for nothing but what `more` says when it is looked at. */
export function managedBy(more: () => Partial<ManagedPolicy>): ManagedSource {
  return {
    get state() {
      const policy: ManagedPolicy = {
        compliance: {},
        requireAuditLog: false,
        requirePreview: false,
        forbidUnmaskedSecrets: false,
        limits: {},
        disabledFeatures: [],
        ...more(),
      };
      return { state: 'in-force' as const, file: '/etc/svc/policy.json', digest: '', policy };
    },
    onDidChange: () => ({ dispose() {} }),
  };
}

/** A store of keys that nobody has put anything in. */
export function emptyKeys(): KeyStore {
  const state: vscode.Memento = { keys: () => [], get: (_: string, or?: unknown) => or, update: async () => {} };
  const nothing = { get: async () => undefined, store: async () => {}, delete: async () => {}, keys: async () => [] };
  return new KeyStore({ ...nothing, onDidChange: new vscode.EventEmitter<never>().event }, state);
}
