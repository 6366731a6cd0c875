import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  circles,
  forbiddenImports,
  type ImportGraph,
  importGraph,
  maxDepth,
  readRooms,
  readSources,
  withImportRules,
} from '../../tools/rooms.ts';

const rooms = readRooms(readFileSync('src/README.md', 'utf8'));
const graph = importGraph(readSources('src'));

/** The sources with one additional import. Paths may be those of files that do not exist. */
function planted(from: string, to: string): ImportGraph {
  const sources = new Map([...readSources('src'), [to, '']]);
  const up = '../'.repeat(from.split('/').length - 1) || './';
  return importGraph(sources.set(from, `import type { X } from '${up}${to}';`));
}

/** Forbidden imports, one for each depth that has a linter rule. */
const violations = [
  ['util/planted.ts', 'policy/settings.ts'],
  ['policy/planted.ts', 'gate/content.ts'],
  ['gate/planted.ts', 'session/conversation/conversation.ts'],
  ['gate/secrets/planted.ts', 'client/chat.ts'],
  ['gate/secrets/deep/planted.ts', 'client/chat.ts'],
  ['client/planted.ts', 'gate/content.ts'],
  ['session/planted.ts', 'host/config/trust.ts'],
  ['session/inline/planted.ts', 'store/audit/auditLog.ts'],
  ['session/inline/deep/planted.ts', 'review/findings/finding.ts'],
  ['review/planted.ts', 'session/conversation/conversation.ts'],
  ['review/rules/planted.ts', 'gate/content.ts'],
  ['store/planted.ts', 'host/config/trust.ts'],
  ['store/deep/planted.ts', 'webview/panel.ts'],
  ['protocol/planted.ts', 'util/errors.ts'],
  ['host/planted.ts', 'webview/panel.ts'],
  ['host/edits/planted.ts', 'webview/view/composer.tsx'],
  ['host/edits/planted.ts', 'createServices.ts'],
  ['host/edits/deep/planted.ts', 'commandArguments.ts'],
  ['webview/view/turn/question/planted.ts', 'extension.ts'],
  ['webview/view/turn/question/planted.ts', 'commands.ts'],
  ['webview/view/turn/question/deep/planted.ts', 'createServices.ts'],
  ['webview/planted.ts', 'util/errors.ts'],
  ['webview/markdown/planted.ts', 'policy/settings.ts'],
] as const;

/** Modules from outside that a room does not know: see the last column of the table. */
const unknownModules = [
  ...['util', 'policy', 'gate/secrets', 'client', 'session', 'review', 'evidence', 'store', 'protocol'].map(
    (room) => [`${room}/planted.ts`, 'vscode'] as const,
  ),
  ['webview/view/turn/question/planted.ts', 'vscode'],
  ...['util', 'gate', 'session/inline', 'evidence', 'store', 'host/edits', 'webview'].flatMap((room) =>
    ['undici', 'undici/lib/dispatcher/client.js'].map((name) => [`${room}/planted.ts`, name] as const),
  ),
  ...['policy', 'policy/files', 'protocol', 'review/rules', 'webview', 'webview/view/turn'].flatMap((room) =>
    ['node:fs', 'node:fs/promises'].map((name) => [`${room}/planted.ts`, name] as const),
  ),
] as const;

describe('the rooms of src/', () => {
  it('have only imports that the table in src/README.md allows, including types', () => {
    assert.ok(graph.size > 400 && [...graph.values()].flat().length > 1_500, 'the graph is not the whole of src/');
    assert.deepEqual(forbiddenImports(graph, rooms), []);
  });

  it('have no circular imports, including types', () => {
    assert.deepEqual(circles(graph), []);
  });

  it('have linter rules that match the table', () => {
    const biome = JSON.parse(readFileSync('biome.json', 'utf8'));
    assert.deepEqual(biome, withImportRules(biome, rooms), 'npm run docs writes them');
  });

  it('have no folder with the name of a room elsewhere, because the linter would take it for that room', () => {
    for (const { name, mayImport } of rooms) {
      const inner = [...graph.keys()]
        .filter((path) => path.startsWith(`${name}/`))
        .flatMap((path) => path.split('/').slice(1, -1));
      const walled = rooms.filter((room) => !mayImport.includes(room.name)).map((room) => room.name);
      assert.deepEqual(
        walled.filter((room) => inner.includes(room)),
        [],
        name,
      );
    }
  });

  it('have no file deeper than the linter looks for imports of the files at the top', () => {
    assert.ok([...graph.keys()].every((path) => path.split('/').length - 1 <= maxDepth));
  });

  it('match the list of types in the table', () => {
    for (const { name, knows } of rooms) {
      const own = ['webview', 'policy', 'protocol', 'review', 'host'].includes(name) ? `src/${name}` : 'src';
      const { types, lib } = JSON.parse(readFileSync(`${own}/tsconfig.json`, 'utf8')).compilerOptions;
      assert.equal(lib.includes('DOM'), knows.includes('DOM'), name);
      assert.equal(types.includes('node'), knows.includes('Node'), name);
      assert.equal(types.includes('vscode'), knows.includes('VS Code'), name);
    }
  });

  for (const [from, to] of violations) {
    it(`do not let ${from} import ${to}`, () => {
      assert.deepEqual(forbiddenImports(planted(from, to), rooms), [`${from} imports ${to}`]);
    });
  }

  it('are also enforced by the linter at each depth', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-rooms-'));
    try {
      const { plugins, ...config } = JSON.parse(readFileSync('biome.json', 'utf8'));
      assert.ok(plugins.length > 0);
      writeFileSync(join(folder, 'biome.json'), JSON.stringify(config));
      const inside = violations.map(
        ([from, to]) => [from, `${'../'.repeat(from.split('/').length - 1)}${to}`] as const,
      );
      const files = [...inside, ...unknownModules].flatMap(([from, path], index) => {
        const forms = {
          type: `import type { X } from '${path}';\n\nexport type Y = X;\n`,
          value: `import { x } from '${path}';\n\nexport const y = x;\n`,
          lazy: `export const z = () => import('${path}');\n`,
        };
        return Object.entries(forms).map(([form, text]) => {
          const file = `src/${from.replace('planted.ts', `${form}${index}.ts`)}`;
          mkdirSync(dirname(join(folder, file)), { recursive: true });
          writeFileSync(join(folder, file), text);
          return file;
        });
      });
      const biome = resolve('node_modules/@biomejs/biome/bin/biome');
      const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.'];
      const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      const refused = JSON.parse(stdout)
        .diagnostics.filter(({ category }: { category: string }) => category === 'lint/style/noRestrictedImports')
        .map(({ location }: { location: { path: string } }) => location.path);
      assert.deepEqual(
        files.filter((file) => !refused.includes(file)),
        [],
        stdout,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('pass the request with content only to dispatch', () => {
    const importers = [...graph].filter(([, targets]) => targets.includes('client/chatStream.ts'));
    assert.deepEqual(
      importers.map(([path]) => path),
      ['client/serviceClient.ts', 'createServices.ts', 'session/dispatch/dispatchParts.ts'],
    );
  });

  it('detect a circle of types, of a lazy import and of an export', () => {
    const sources = new Map([
      ['util/a.ts', `import type { B } from './b.ts';`],
      ['util/b.ts', `export { c } from './c.ts';`],
      ['util/c.ts', `export const a = () => import('./a.ts');`],
      ['util/d.ts', `import './a.ts';`],
    ]);
    assert.deepEqual(circles(importGraph(sources)), [['util/a.ts', 'util/b.ts', 'util/c.ts']]);
  });
});
