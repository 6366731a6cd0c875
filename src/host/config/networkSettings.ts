import * as vscode from 'vscode';
import type { NetworkOptions, Stack } from '../../client/transport/network.ts';
import { PolicyError } from '../../policy/policyError.ts';
import { resolveSetting } from '../../policy/resolveSetting.ts';
import type { SettingKey } from '../../policy/settings.ts';
import { type ChosenLimits, resolveTimeLimits } from '../../policy/timeLimits.ts';
import { readLayers, userValue } from './settingsReader.ts';
import { systemProxyResolver } from './systemProxy.ts';

/**
 * How VS Code and the user say that the network is reached, read now. http.proxyStrictSSL is not read: nothing turns
 * the check of certificates off.
 * @throws PolicyError where a svc.network setting is not allowed.
 */
export function readNetwork(): NetworkOptions {
  const layers = readLayers([]);
  const text = (key: SettingKey): string => {
    const resolved = resolveSetting(layers, key);
    if (!resolved.ok) throw new PolicyError([resolved.problem]);
    return String(resolved.value).trim();
  };
  const noProxy = hostSetting('http.noProxy');
  const resolveProxy = systemProxyResolver();
  return {
    stack: text('svc.network.stack') as Stack,
    caFile: text('svc.network.caFile'),
    clientCertificate: text('svc.network.clientCertificate'),
    clientKey: text('svc.network.clientKey'),
    useProxies: hostSetting('http.proxySupport') !== 'off',
    httpProxy: String(hostSetting('http.proxy') ?? ''),
    noProxy: Array.isArray(noProxy) ? noProxy.map(String) : [],
    systemCertificates: hostSetting('http.systemCertificates') !== false,
    env: process.env,
    ...(resolveProxy === undefined ? {} : { resolveProxy }),
  };
}

/** The time limits of what carries no content. Those of a chat request come with it. @throws PolicyError as above. */
export function readTimeLimits(): ChosenLimits {
  const resolved = resolveTimeLimits(readLayers([]));
  if (!resolved.ok) throw new PolicyError(resolved.problems);
  return resolved.limits;
}

/** The user's value of one of VS Code's own settings: neither a workspace nor a remote machine chooses whom the key travels through. */
function hostSetting(key: string): unknown {
  return userValue(key) ?? vscode.workspace.getConfiguration().inspect(key)?.defaultValue;
}
