import type * as vscode from 'vscode';

/** SecretStorage in memory. */
export function fakeSecrets(): vscode.SecretStorage {
  const stored = new Map<string, string>();
  return {
    get: async (key) => stored.get(key),
    store: async (key, value) => void stored.set(key, value),
    delete: async (key) => void stored.delete(key),
    keys: async () => [...stored.keys()],
    onDidChange: () => ({ dispose: () => undefined }),
  };
}
