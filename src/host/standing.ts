import * as vscode from 'vscode';
import type { Circumstances } from '../gate/admit.ts';
import { type Connection, resolveConnection } from '../policy/connection.ts';
import { PolicyError } from '../policy/policyError.ts';
import { type ModelKey, resolveRequestOptions } from '../policy/requestOptions.ts';
import { resolvePolicy } from '../policy/resolve.ts';
import type { Card, Posture } from '../protocol/messages.ts';
import { ServiceError } from '../util/errors.ts';
import { actionLabel, describeError } from './describeError.ts';
import { describePosture, describeProblem } from './describePolicy.ts';
import type { KeyStore } from './secrets.ts';
import { readLayers } from './settingsReader.ts';

const t = vscode.l10n.t;

/** All that decides about a request, read now. */
export function circumstances({
  modelKey,
  folders,
}: {
  modelKey: ModelKey;
  folders: readonly string[];
}): Circumstances {
  const layers = readLayers(folders);
  return {
    isTrusted: vscode.workspace.isTrusted,
    policy: resolvePolicy(layers),
    connection: resolveConnection(layers),
    options: resolveRequestOptions(layers, modelKey),
  };
}

/** The address in use. Throws a ServiceError where the workspace is untrusted, or the settings name none. */
export function requireConnection(): Connection {
  if (!vscode.workspace.isTrusted)
    throw new ServiceError('gate', 'The workspace is not trusted.', { code: 'untrusted' });
  const resolved = resolveConnection(readLayers([]));
  if (resolved.ok) return resolved.connection;
  if (resolved.unset) throw new ServiceError('policy', 'svc.baseUrl is not set.', { code: 'no-base-url' });
  throw new PolicyError(resolved.problems);
}

/** How things stand for the next request, in words: for the panel and the status bar. Reads no secret. */
export interface Standing {
  readonly model: string;
  /** Host and port of the address, or nothing where none is set. */
  readonly host: string;
  readonly posture: Posture;
  readonly notice?: Card;
}

export function readStanding(keys: KeyStore, folders: readonly string[]): Standing {
  const { isTrusted, policy, connection, options } = circumstances({ modelKey: 'svc.model.chat', folders });
  const problems = [policy, connection, options].flatMap((part) => (part.ok ? [] : part.problems));
  const resolved = policy.ok ? describePosture(policy.policy) : { label: '', headers: [] };
  const standing = {
    model: options.ok ? options.options.model : '',
    host: connection.ok ? new URL(connection.connection.baseUrl).host : '',
    posture: {
      ...resolved,
      problems: isTrusted ? problems.map(describeProblem) : [t('This workspace is not trusted.')],
    },
  };
  const context = { host: standing.host, canRetry: false, canContinue: false };
  if (!isTrusted) {
    const card = describeError(new ServiceError('gate', 'untrusted', { code: 'untrusted' }), context);
    return card === null ? standing : { ...standing, notice: card };
  }
  if (problems.length > 0) {
    const card = describeError(new PolicyError(problems), context);
    return card === null ? standing : { ...standing, notice: card };
  }
  if (!connection.ok) {
    return {
      ...standing,
      notice: step(t('Connect to your Svc service'), t('Its address comes first, then a key.'), 'setBaseUrl'),
    };
  }
  if (!keys.has(connection.connection)) {
    const detail = t('It is kept in the secret storage of this machine, for {0} alone.', standing.host);
    return { ...standing, notice: step(t('Store your API key'), detail, 'setApiKey') };
  }
  return standing;
}

function step(title: string, detail: string, id: 'setBaseUrl' | 'setApiKey'): Card {
  return { severity: 'info', title, detail, actions: [{ id, label: actionLabel(id) }] };
}

/** Fires when anything that decides about a request may have changed. */
export function onDidChangeStanding(keys: KeyStore, listener: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('svc')) listener();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(listener),
    vscode.workspace.onDidChangeWorkspaceFolders(listener),
    keys.onDidChange(listener),
  );
}
