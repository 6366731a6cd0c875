// The bundles: the extension and its pages, each with its chunks; the program that verifies an audit log; and the integration suite.
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, context } from 'esbuild';
import subsetFont from 'subset-font';

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
    // Text in Base64 is compressed badly; the parser is decompressed in less than 2 ms, with the first request.
    onLoad({ filter: /undici[\\/]lib[\\/]llhttp[\\/]llhttp_simd-wasm\.js$/ }, async ({ path }) => {
      const [, base64 = ''] = /'([A-Za-z0-9+/=]{1000,})'/.exec(await readFile(path, 'utf8')) ?? [];
      const packed = brotliCompressSync(Buffer.from(base64, 'base64')).toString('base64');
      const unpacked = `require('node:zlib').brotliDecompressSync(Buffer.from('${packed}', 'base64'))`;
      return { contents: `module.exports = ${unpacked};` };
    });
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

/**
 * For Node. `esbuildDetection` is undici's own switch: no experimental parser.
 * @satisfies {import('esbuild').BuildOptions}
 */
const node = /** @type {const} */ ({
  bundle: true,
  minify: true,
  legalComments: 'none',
  platform: 'node',
  target: 'node22',
  external: ['vscode', 'mocha'],
  define: { esbuildDetection: '1' },
  // Its UMD build requires its parts in a way that a bundler cannot follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  plugins: [slimUndici, ownZodGlobals],
});

/** A CommonJS package loads Node's own modules with require(), which an ES module does not have. */
const builtinModules = {
  name: 'builtin-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
  },
};

const start = 'src/extension.ts';

/** Small modules that are loaded together, in one chunk: with a chunk for each, shared code would be cut into more chunks, too. */
export const loadedTogether = [
  ['src/features/audit/vscode/limitWords.ts', 'src/store/audit/dayLimits.ts', 'src/store/audit/usageExport.ts'],
  [
    'src/features/chat/vscode/mode/chooseMode.ts',
    'src/features/chat/vscode/commands/accessibilityHelp.ts',
    'src/features/tools/vscode/choose/chooseTools.ts',
    'src/features/vscodeChat/vscode/useInVSCodeChat.ts',
  ],
  ['src/features/vscodeChat/vscode/languageModels.ts', 'src/features/vscodeChat/vscode/participant/participant.ts'],
  ['src/store/audit/verifyLog.ts', 'src/store/audit/bundle/bundle.ts'],
];

/**
 * Imports the start in each chunk that is loaded later. The modules that they share with it are then in one file with it, and not
 * in some twenty, which VS Code would find and read one by one when a window opens.
 */
const afterStart = {
  name: 'after-start',
  setup({ onResolve, onLoad }) {
    const root = import.meta.dirname;
    onResolve({ filter: /^\.\.?\// }, ({ kind, path, resolveDir, namespace }) => {
      if (kind !== 'dynamic-import' || namespace !== 'file') return undefined;
      // The path of the build's machine would be in the names of the chunks.
      const name = relative(root, join(resolveDir, path)).replaceAll('\\', '/');
      return { path: loadedTogether.find((names) => names.includes(name))?.[0] ?? name, namespace: 'after-start' };
    });
    onLoad({ filter: /./, namespace: 'after-start' }, ({ path }) => {
      const names = loadedTogether.find((each) => each.includes(path)) ?? [path];
      return {
        contents: [start, ...names].map((name, at) => `${at === 0 ? 'import' : 'export * from'} './${name}';`).join(''),
        resolveDir: root,
      };
    });
  },
};

/**
 * The extension: what activation loads, and a chunk for each dynamic import, loaded when it is first needed.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const hostBundle = {
  ...node,
  plugins: [...node.plugins, builtinModules, afterStart],
  entryPoints: [start],
  format: 'esm',
  splitting: true,
  chunkNames: 'host/[name]-[hash]',
};

/**
 * The client, and the scanner for secrets, in a file of their own, for tests that load nothing else.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const clientBundle = { ...node, format: 'cjs', entryPoints: ['src/client/serviceClient.ts'] };

/** @satisfies {import('esbuild').BuildOptions} */
export const scannerBundle = { ...node, format: 'cjs', entryPoints: ['src/gate/secrets/scanner.ts'] };

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

/**
 * The bundler keeps only comments inside of classes and objects. Without the others, these do not help: the sources have all of them.
 */
const withoutComments = {
  name: 'without-comments',
  setup({ onLoad }) {
    onLoad({ filter: /src[\\/](evidence|util)[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/^ *(?:\/\*\*[\s\S]*?\*\/|\/\/ .*)\n/gm, ''),
      loader: 'ts',
    }));
  },
};

/**
 * What verifies an audit log without the extension: one file that an auditor can read, for Node 20.12 or newer.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const verifyBundle = {
  bundle: true,
  legalComments: 'none',
  entryPoints: { verify: 'src/evidence/cli/main.ts' },
  platform: 'node',
  target: 'node20',
  format: /** @type {const} */ ('esm'),
  outExtension: { '.js': '.mjs' },
  plugins: [withoutComments],
};

/** The imports of a bundle, each name once: the bundler repeats those of each source, under further names. */
function withImportsOnce(/** @type {string} */ text) {
  /** @type {Map<string, Map<string, Set<string>>>} */
  const modules = new Map();
  const rest = text.replace(/^import (.*) from (".*");\n/gm, (_, /** @type {string} */ clause, module) => {
    const from = clause.startsWith('*') ? `* ${module}` : module;
    const names = modules.get(from) ?? new Map();
    modules.set(from, names);
    for (const one of clause.replace(/^\{ | \}$/g, '').split(', ')) {
      const [name = '', local = name] = one.split(' as ');
      names.set(name, (names.get(name) ?? new Set()).add(local));
    }
    return '';
  });
  /** @type {Map<string, string>} */
  const others = new Map();
  const imports = [...modules].map(([from, names]) => {
    const list = [...names].map(([name, locals]) => {
      const kept = locals.has(name) ? name : ([...locals][0] ?? '');
      for (const other of locals) others.set(other, kept);
      return name === kept ? name : `${name} as ${kept}`;
    });
    return from.startsWith('*')
      ? `import ${list} from ${from.slice(2)};\n`
      : `import { ${list.join(', ')} } from ${from};\n`;
  });
  return { imports, rest: rest.replace(/\b\w+\b/g, (word) => (/\d$/.test(word) && others.get(word)) || word) };
}

/** Builds verify.mjs into a folder, without the bundler's marks, and with all imports at its top. */
export async function buildVerify(/** @type {string} */ outdir) {
  const { outputFiles } = await build({ ...verifyBundle, absWorkingDir: import.meta.dirname, outdir, write: false });
  await mkdir(outdir, { recursive: true });
  for (const { path, text } of outputFiles) {
    const { imports, rest } = withImportsOnce(text);
    const code = rest
      .replaceAll('/* @__PURE__ */ ', '')
      // The names of the files, several of which are there more than once.
      .replace(/^\/\/ src\/.*\n/gm, '');
    await writeFile(path, [...imports, '\n', code].join('').replace(/\n{3,}/g, '\n\n'));
  }
}

/** Every bundle that is shipped, as it goes into dist/: the notices and the bill of materials are made from these. */
export const shippedBundles = [
  { ...hostBundle, outdir: 'dist' },
  { ...webviewBundle, outdir: 'dist/webview' },
  { ...verifyBundle, outdir: 'dist' },
];

/**
 * The files of packages of which parts are shipped, by where they go.
 * @type {Readonly<Record<string, string>>}
 */
export const copiedFiles = {
  'dist/webview/codicon.css': 'node_modules/@vscode/codicons/dist/codicon.css',
  'dist/webview/codicon.woff2': 'node_modules/@vscode/codicons/dist/codicon.ttf',
};

/** The style sheet of the icons without those that no source names, which are nine in ten. */
export function usedIcons() {
  const css = readFileSync(copiedFiles['dist/webview/codicon.css'] ?? '', 'utf8');
  const sources = globSync('src/**/*.{ts,tsx}').map((file) => readFileSync(file, 'utf8'));
  const quoted = new Set(sources.flatMap((source) => source.match(/(?<=['"])[a-z][a-z0-9-]*(?=['"])/g) ?? []));
  const styles = css.replace(
    /url\("\.\/codicon\.ttf[^)]*\) format\("truetype"\)/,
    'url("./codicon.woff2") format("woff2")',
  );
  return styles.replace(/^\.codicon-([a-z0-9-]+):before .*\n/gm, (rule, name) => (quoted.has(name) ? rule : ''));
}

/** The characters of the icons in a style sheet. */
export function iconCharacters(/** @type {string} */ css) {
  const codes = [...css.matchAll(/content: "\\([0-9a-f]+)"/g)].map(([, code = '']) => Number.parseInt(code, 16));
  return String.fromCodePoint(...codes);
}

/** The font with the icons of a style sheet and no others, as WOFF2. The whole font is a tenth of the VSIX. */
export function fontOf(/** @type {string} */ css) {
  const whole = readFileSync(copiedFiles['dist/webview/codicon.woff2'] ?? '');
  return subsetFont(whole, iconCharacters(css), { targetFormat: 'woff2' });
}

/** What is shipped of `copiedFiles`, by where it goes. */
export async function iconFiles() {
  const css = usedIcons();
  return { 'dist/webview/codicon.css': Buffer.from(css), 'dist/webview/codicon.woff2': await fontOf(css) };
}

/** @satisfies {import('esbuild').BuildOptions} */
const integrationBundle = {
  ...node,
  format: 'cjs',
  minify: false,
  sourcemap: 'inline',
  entryPoints: ['test/integration/suite/index.ts'],
};

const allBundles = [...shippedBundles, { ...integrationBundle, outfile: 'dist/test/integration.cjs' }];

/** Builds again whenever a source changes, for a debugger: readable, with source maps. */
async function watch() {
  const says = {
    name: 'says',
    setup(/** @type {import('esbuild').PluginBuild} */ { onStart, onEnd }) {
      onStart(() => console.log('watch: building'));
      onEnd(() => console.log('watch: built'));
    },
  };
  const contexts = allBundles.map((options, index) =>
    context({
      ...options,
      minify: false,
      sourcemap: true,
      // The first stands for all of them: a task of VS Code waits for these lines.
      plugins: [...('plugins' in options ? options.plugins : []), ...(index === 0 ? [says] : [])],
    }),
  );
  for (const one of await Promise.all(contexts)) await one.watch();
}

if (import.meta.main) {
  await rm('dist', { recursive: true, force: true });
  await mkdir('dist/webview', { recursive: true });
  for (const [file, content] of Object.entries(await iconFiles())) await writeFile(file, content);
  if (process.argv.includes('--watch')) await watch();
  else {
    await Promise.all(allBundles.map((options) => build(options)));
    await buildVerify('dist');
  }
}
