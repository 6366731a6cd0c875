import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { measureInHost } from '../inHost.ts';

export const ours = 'svc.svc-coder';
export const empty = 'bench.empty';

export interface Cost {
  /** From the call of activate() until it resolved: VS Code loads the code and calls it. */
  readonly ms: number;
  /** Memory in use after a collection, on the heap and outside of it. */
  readonly heapBytes: number;
  readonly rssBytes: number;
}

export interface Measured {
  readonly measured: Readonly<Record<typeof ours | typeof empty, Cost>>;
  readonly timers: number;
  readonly sockets: number;
  /** The samples of a profile of three idle seconds. */
  readonly samples: number;
}

/** One fresh VS Code in which both extensions are activated, in this order; `extension` is ours, unpacked. */
export async function measureHost(browser: Browser, order: readonly string[], extension: string): Promise<Measured> {
  const env = { SVC_BENCH_ORDER: order.join(',') };
  return (await measureInHost(browser, { probe: 'startup/probe', env, extension, install: putEmpty })) as Measured;
}

/** An extension that does nothing and is not activated automatically. */
function putEmpty(extensionsDir: string): void {
  const { engines, extensionKind } = JSON.parse(readFileSync('dist/vsix/package.json', 'utf8'));
  const nothing = join(extensionsDir, 'bench.empty-0.0.1');
  mkdirSync(nothing);
  const facts = { name: 'empty', publisher: 'bench', version: '0.0.1', main: './main.cjs', engines, extensionKind };
  writeFileSync(join(nothing, 'package.json'), JSON.stringify({ ...facts, type: 'module', activationEvents: [] }));
  writeFileSync(join(nothing, 'main.cjs'), "require('vscode');\nexports.activate = () => {};\n");
}
