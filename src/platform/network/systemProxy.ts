import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';

type ResolveProxy = (url: string) => Promise<string | undefined>;

/**
 * Returns VS Code's proxy resolver, which knows the system's settings and PAC scripts. There is no API for it; the extension
 * host attaches it, for VS Code's own extensions, to the module with which it patches http. This function searches the
 * loaded modules and loads none: a second copy would load a second undici, which writes globals. If the module is not found,
 * PAC scripts work only with the host's fetch (svc.network.stack).
 */
export function systemProxyResolver(): ResolveProxy | undefined {
  const { cache } = createRequire(join(vscode.env.appRoot, 'package.json'));
  const path = Object.keys(cache).find((name) => /[\\/]@vscode[\\/]proxy-agent[\\/]out[\\/]index\.js$/.test(name));
  const found: unknown = path === undefined ? undefined : cache[path]?.exports;
  if (typeof found !== 'object' || found === null || !('resolveProxyURL' in found)) return undefined;
  const { resolveProxyURL } = found;
  if (typeof resolveProxyURL !== 'function') return undefined;
  return async (url) => {
    const proxy: unknown = await resolveProxyURL(url);
    return typeof proxy === 'string' ? proxy : undefined;
  };
}
