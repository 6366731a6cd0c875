import * as vscode from 'vscode';
import type { NetworkOptions, Stack } from '../../client/transport/network.ts';
import { PolicyError } from '../../policy/policyError.ts';
import { resolveSetting } from '../../policy/resolveSetting.ts';
import type { SettingKey } from '../../policy/settings.ts';
import { type ChosenLimits, resolveTimeLimits } from '../../policy/timeLimits.ts';
import { readLayers, userValue } from '../settings/settingsReader.ts';
import { systemProxyResolver } from './systemProxy.ts';

/**
 * The network configuration of VS Code and the user, read now. http.proxyStrictSSL is not read: nothing turns off the
 * check of certificates.
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

/** The time limits of requests without content. Those of a chat request come with it. @throws PolicyError as above. */
export function readTimeLimits(): ChosenLimits {
  const resolved = resolveTimeLimits(readLayers([]));
  if (!resolved.ok) throw new PolicyError(resolved.problems);
  return resolved.limits;
}

/** The user's value of a VS Code setting: neither a workspace nor a remote machine may choose the route of the key. */
function hostSetting(key: string): unknown {
  return userValue(key) ?? vscode.workspace.getConfiguration().inspect(key)?.defaultValue;
}
