import * as vscode from 'vscode';
import type { ServiceOptions } from '../../service/options.ts';
import { type LocalService, startService } from '../../service/service.ts';

export const key = 'svc_ent_demo_0123456789abcdef';
/** Another key that the service accepts, for rotation. */
export const nextKey = 'svc_ent_next_0123456789abcdef';

/**
 * The port of the service of a stage. It stays the same because VS Code needs a while for each change of the address.
 */
let port: number | undefined;
let openStages = 0;
/** The key that is stored for that address: storing or removing one takes VS Code a tenth of a second. */
let stored: string | 'unknown' | undefined;

/** Points the extension at a local service, and restores the settings at the end. */
export class Stage {
  readonly service: LocalService;
  readonly #changed: [string, vscode.ConfigurationTarget][] = [];

  constructor(service: LocalService) {
    this.service = service;
  }

  async set(name: string, value: unknown, target = vscode.ConfigurationTarget.Global): Promise<void> {
    this.#changed.push([name, target]);
    await vscode.workspace.getConfiguration().update(name, value, target);
  }

  async close(): Promise<void> {
    const settings = vscode.workspace.getConfiguration();
    // All at the same time: VS Code serializes the writes itself.
    await Promise.all(this.#changed.reverse().map(([name, target]) => settings.update(name, undefined, target)));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await this.service.close();
    openStages -= 1;
  }
}

/** A stage without a key. */
export async function openStage(options?: ServiceOptions): Promise<Stage> {
  const stage = await open(options);
  if (stored !== undefined) await removeKey();
  return stage;
}

/** A stage with the key that its service accepts; the request for storing it is not counted as received. */
export async function openStageWithKey(options?: ServiceOptions): Promise<Stage> {
  const stage = await open(options);
  if (stored !== key) await storeKey();
  stage.service.clear();
  return stage;
}

async function open(options?: ServiceOptions): Promise<Stage> {
  await vscode.extensions.getExtension('svc.svc-coder')?.activate();
  // A second service beside the first has its own address.
  const service = await startService({ keys: [key, nextKey], port: openStages === 0 ? (port ?? 0) : 0, ...options });
  if (openStages === 0 && port !== service.port) {
    port = service.port;
    stored = undefined;
  }
  openStages += 1;
  const settings = vscode.workspace.getConfiguration();
  if (settings.inspect('svc.baseUrl')?.globalValue !== service.baseUrl) {
    await settings.update('svc.baseUrl', service.baseUrl, vscode.ConfigurationTarget.Global);
  }
  return new Stage(service);
}

/** Whether the settings have the address that the key of the tests is stored for. */
function isAtHome(): boolean {
  const baseUrl = vscode.workspace.getConfiguration().get<string>('svc.baseUrl', '');
  return URL.parse(baseUrl)?.origin === `http://127.0.0.1:${port}`;
}

/** Stores a key that is in the environment, as the user does. */
export async function storeKey(value = key): Promise<unknown> {
  const before = process.env.SVC_API_KEY;
  process.env.SVC_API_KEY = value;
  if (isAtHome()) stored = 'unknown';
  try {
    const result = await vscode.commands.executeCommand<{ readonly ok: boolean }>('svc.setApiKey', {
      source: 'environment',
    });
    if (isAtHome() && result.ok) stored = value;
    return result;
  } finally {
    if (before === undefined) delete process.env.SVC_API_KEY;
    else process.env.SVC_API_KEY = before;
  }
}

export async function removeKey(): Promise<unknown> {
  if (isAtHome()) stored = undefined;
  return vscode.commands.executeCommand('svc.removeApiKey');
}

/** Resolves when `holds` returns true; it is called whenever `event` fires. */
export function until(event: vscode.Event<unknown>, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!holds()) return;
      listening.dispose();
      resolve();
    };
    const listening = event(look);
    look();
  });
}
