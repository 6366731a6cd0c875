import type * as vscode from 'vscode';
import type { SecretSlots } from '../../../store/audit/auditSecrets.ts';

/** VS Code's secret storage, as the audit log uses it. */
export function secretSlots(secrets: vscode.SecretStorage): SecretSlots {
  return {
    get: async (slot) => secrets.get(slot),
    set: async (slot, value) => secrets.store(slot, value),
    delete: async (slot) => secrets.delete(slot),
    keys: async () => secrets.keys(),
  };
}
