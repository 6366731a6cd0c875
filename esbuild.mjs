// The bundles: the extension, what it loads only when it is needed (so that activation owes nothing to it), the pages
// with their chunks, and the integration suite.
import { cp, readFile, rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { build } from 'esbuild';

/** What the extension imports dynamically is, in the bundle, a file of its own: see `laterBundles`. */
const loadedLater = {
  name: 'loaded-later',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const module = relative(import.meta.dirname, resolve(resolveDir, path)).replaceAll('\\', '/');
      const file = Object.keys(laterBundles).find((name) => laterBundles[name]?.entryPoints[0] === module);
      return file === undefined ? undefined : { path: `./${file}.cjs`, external: true };
    });
  },
};

/**
 * Leaves out of undici what HTTP/1.1 with string bodies never reaches: HTTP/2, fetch and its kin. The second copy of
 * the parser, for processors without SIMD, becomes the first: VS Code runs on none of those.
 */
const slimUndici = {
  name: 'slim-undici',
  setup({ onLoad }) {
    onLoad({ filter: /undici[\\/]lib[\\/](web[\\/]|dispatcher[\\/]client-h2\.js$)/ }, () => ({
      contents: 'module.exports = {};',
    }));
    onLoad({ filter: /undici[\\/]lib[\\/]llhttp[\\/]llhttp-wasm\.js$/ }, () => ({
      contents: "module.exports = require('./llhttp_simd-wasm.js');",
    }));
  },
};

/**
 * zod keeps its configuration and registry on globalThis, where every extension of the host finds them: our loading
 * would write them, and another's z.config() would change how we read answers. Each bundle gets its own.
 */
const ownZodGlobals = {
  name: 'own-zod-globals',
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]core[\\/](core|registries)\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: `const zodGlobals = {};\n${source.replaceAll('globalThis', 'zodGlobals')}` };
    });
  },
};

/** @satisfies {import('esbuild').BuildOptions} */
const node = /** @type {const} */ ({
  bundle: true,
  minify: true,
  legalComments: 'none',
  platform: 'node',
  target: 'node22',
  format: 'cjs',
});

/** @satisfies {import('esbuild').BuildOptions} */
export const extensionBundle = {
  ...node,
  entryPoints: ['src/extension.ts'],
  external: ['vscode'],
  plugins: [loadedLater, ownZodGlobals],
};

/**
 * `esbuildDetection` is undici's own switch: no experimental parser.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const clientBundle = {
  ...node,
  entryPoints: ['src/client/serviceClient.ts'],
  define: { esbuildDetection: '1' },
  plugins: [slimUndici, ownZodGlobals],
};

/** @satisfies {import('esbuild').BuildOptions} */
export const scannerBundle = {
  ...node,
  entryPoints: ['src/gate/secrets/scanner.ts'],
};

/** @satisfies {import('esbuild').BuildOptions} */
export const codeBundle = {
  ...node,
  entryPoints: ['src/host/commands/codeCommands.ts'],
  external: ['vscode'],
};

/**
 * What is loaded when it is first needed, by the name of its file in dist/.
 * @type {Record<string, import('esbuild').BuildOptions & { entryPoints: string[] }>}
 */
const laterBundles = { client: clientBundle, scanner: scannerBundle, code: codeBundle };

/** @satisfies {import('esbuild').BuildOptions} */
export const webviewBundle = {
  bundle: true,
  minify: true,
  legalComments: 'none',
  entryPoints: { main: 'src/webview/main.tsx', audit: 'src/webview/audit/main.tsx' },
  platform: 'browser',
  target: 'es2022',
  format: /** @type {const} */ ('esm'),
  splitting: true,
  jsx: /** @type {const} */ ('automatic'),
  jsxImportSource: 'preact',
  chunkNames: '[name]-[hash]',
};

/** @satisfies {import('esbuild').BuildOptions} */
const integrationBundle = {
  ...node,
  minify: false,
  sourcemap: 'inline',
  entryPoints: ['test/integration/suite/index.ts'],
  external: ['vscode', 'mocha'],
};

if (import.meta.main) {
  await rm('dist', { recursive: true, force: true });
  await Promise.all([
    build({ ...extensionBundle, outfile: 'dist/extension.cjs' }),
    ...Object.entries(laterBundles).map(([name, options]) => build({ ...options, outfile: `dist/${name}.cjs` })),
    build({ ...webviewBundle, outdir: 'dist/webview' }),
    build({ ...integrationBundle, outfile: 'dist/test/integration.cjs' }),
    cp('node_modules/@vscode/codicons/dist/codicon.css', 'dist/webview/codicon.css'),
    cp('node_modules/@vscode/codicons/dist/codicon.ttf', 'dist/webview/codicon.ttf'),
  ]);
}
