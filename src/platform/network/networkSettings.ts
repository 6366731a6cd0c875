import * as vscode from 'vscode';
import type { NetworkOptions, Stack } from '../../client/transport/network.ts';
import { PolicyError } from '../../policy/policyError.ts';
import { resolveSetting } from '../../policy/resolveSetting.ts';
import type { SettingKey } from '../../policy/settings.ts';
import { type ChosenLimits, resolveTimeLimits } from '../../policy/timeLimits.ts';
import { readLayers, userValue } from '../settings/settingsReader.ts';
import { systemProxyResolver } from './systemProxy.ts';

/**
 * Reads the current network configuration of VS Code and the user. http.proxyStrictSSL is not read,
 * because certificate validation cannot be turned off. Throws a PolicyError if a svc.network setting is not allowed.
 */
export function readNetwork(): NetworkOptions {
  const layers = readLayers([]);
  const text = (key: SettingKey): string => {
    const resolved = resolveSetting(layers, key);
    if (!resolved.ok) throw new PolicyError([resolved.problem]);
    return String(resolved.value).trim();
  };
  const noProxy = userOrDefault('http.noProxy');
  const resolveProxy = systemProxyResolver();
  return {
    stack: text('svc.network.stack') as Stack,
    caFile: text('svc.network.caFile'),
    clientCertificate: text('svc.network.clientCertificate'),
    clientKey: text('svc.network.clientKey'),
    useProxies: userOrDefault('http.proxySupport') !== 'off',
    httpProxy: String(userOrDefault('http.proxy') ?? ''),
    proxyAuthorization: String(userOrDefault('http.proxyAuthorization') ?? ''),
    noProxy: Array.isArray(noProxy) ? noProxy.map(String) : [],
    systemCertificates: userOrDefault('http.systemCertificates') !== false,
    env: process.env,
    ...(resolveProxy === undefined ? {} : { resolveProxy }),
  };
}

/**
 * Reads the time limits of requests without content, such as the list of models: a chat request has limits of its own. Throws
 * a PolicyError if a limit is not allowed.
 */
export function readTimeLimits(): ChosenLimits {
  const resolved = resolveTimeLimits(readLayers([]));
  if (!resolved.ok) throw new PolicyError(resolved.problems);
  return resolved.limits;
}

/**
 * Returns the user's value of a VS Code setting: neither a workspace nor a remote machine may choose the proxy through which the
 * API key is sent.
 */
function userOrDefault(key: string): unknown {
  return userValue(key) ?? vscode.workspace.getConfiguration().inspect(key)?.defaultValue;
}
