import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  circles,
  forbiddenImports,
  forbiddenModules,
  type ImportGraph,
  importGraph,
  readOrders,
  readRooms,
  readSources,
} from '../../tools/rooms.ts';

const rooms = readRooms(readFileSync('src/README.md', 'utf8'));
const orders = readOrders(readFileSync('src/README.md', 'utf8'));
const graph = importGraph(readSources('src'));

/** The sources with one additional import. Paths may be those of files that do not exist. */
function planted(from: string, to: string): ImportGraph {
  const sources = new Map([...readSources('src'), [to, '']]);
  const up = '../'.repeat(from.split('/').length - 1) || './';
  return importGraph(sources.set(from, `import type { X } from '${up}${to}';`));
}

/** Forbidden imports, at several depths. */
const violations = [
  ['util/planted.ts', 'policy/settings.ts'],
  ['policy/planted.ts', 'gate/content.ts'],
  ['gate/planted.ts', 'session/conversation/conversation.ts'],
  ['gate/secrets/planted.ts', 'client/chat.ts'],
  ['gate/secrets/deep/planted.ts', 'client/chat.ts'],
  ['client/planted.ts', 'gate/content.ts'],
  ['session/planted.ts', 'platform/settings/trust.ts'],
  ['session/inline/planted.ts', 'store/audit/auditLog.ts'],
  ['session/inline/deep/planted.ts', 'review/findings/finding.ts'],
  ['review/planted.ts', 'session/conversation/conversation.ts'],
  ['review/rules/planted.ts', 'gate/content.ts'],
  ['store/planted.ts', 'platform/settings/trust.ts'],
  ['store/deep/planted.ts', 'webview/panel.ts'],
  ['protocol/planted.ts', 'util/errors.ts'],
  ['platform/messages/planted.ts', 'features/chat/vscode/act.ts'],
  ['platform/files/planted.ts', 'platform/messages/show.ts'],
  ['platform/sources/ignored/planted.ts', 'platform/confirm/showPreview.ts'],
  ['platform/unknown/planted.ts', 'platform/files/isGone.ts'],
  ['features/edits/vscode/planted.ts', 'webview/view/composer.tsx'],
  ['features/edits/vscode/planted.ts', 'createServices.ts'],
  ['features/edits/vscode/deep/planted.ts', 'services.ts'],
  ['features/edits/vscode/placing/planted.ts', 'features/review/vscode/review.ts'],
  ['features/unknown/vscode/planted.ts', 'features/audit/vscode/rows.ts'],
  ['features/edits/planted.ts', 'features/edits/vscode/proposal.ts'],
  ['features/edits/common/planted.ts', 'features/edits/node/planted2.ts'],
  ['features/edits/common/deep/planted.ts', 'features/edits/vscode/proposal.ts'],
  ['features/edits/node/planted.ts', 'features/edits/vscode/proposal.ts'],
  ['features/edits/page/planted.ts', 'features/edits/vscode/proposal.ts'],
  ['features/edits/page/deep/planted.ts', 'features/audit/node/planted2.ts'],
  ['features/edits/vscode/planted.ts', 'features/edits/page/planted2.ts'],
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
  ...['util', 'gate', 'session/inline', 'evidence', 'store', 'features/edits/vscode', 'webview'].flatMap((room) =>
    ['undici', 'undici/lib/dispatcher/client.js'].map((name) => [`${room}/planted.ts`, name] as const),
  ),
  ...['policy', 'policy/files', 'protocol', 'review/rules', 'webview', 'webview/view/turn'].flatMap((room) =>
    ['node:fs', 'node:fs/promises'].map((name) => [`${room}/planted.ts`, name] as const),
  ),
] as const;

describe('the rooms of src/', () => {
  it('have only imports that the table in src/README.md allows, including types', () => {
    assert.ok(graph.size > 400 && [...graph.values()].flat().length > 1_500, 'the graph is not the whole of src/');
    assert.deepEqual(forbiddenImports(graph, rooms, orders), []);
  });

  it('have no circular imports, including types', () => {
    assert.deepEqual(circles(graph), []);
  });

  it('import only the modules that the table allows', () => {
    assert.deepEqual(forbiddenModules(readSources('src'), rooms), []);
  });

  it('have an order that names each folder of platform/ and features/', () => {
    for (const [room, folders] of orders) {
      const found = [...graph.keys()].filter((path) => path.startsWith(`${room}/`)).map((path) => path.split('/')[1]);
      assert.deepEqual([...new Set(found)].toSorted(), folders.toSorted(), room);
    }
    assert.deepEqual([...orders.keys()], ['platform', 'features']);
  });

  it('match the list of types in the table', () => {
    for (const { name, knows } of rooms) {
      const own = ['webview', 'policy', 'protocol', 'review', 'platform', 'features'].includes(name)
        ? `src/${name}`
        : 'src';
      const { types, lib } = JSON.parse(readFileSync(`${own}/tsconfig.json`, 'utf8')).compilerOptions;
      assert.equal(lib.includes('DOM'), knows.includes('DOM'), name);
      assert.equal(types.includes('node'), knows.includes('Node'), name);
      assert.equal(types.includes('vscode'), knows.includes('VS Code'), name);
    }
  });

  for (const [from, to] of violations) {
    it(`do not let ${from} import ${to}`, () => {
      assert.deepEqual(forbiddenImports(planted(from, to), rooms, orders), [`${from} imports ${to}`]);
    });
  }

  for (const [from, name] of unknownModules) {
    it(`do not let ${from} import ${name}`, () => {
      const texts = [`import type { X } from '${name}';`, `import('${name}');`, `import '${name}';`];
      for (const text of texts) {
        assert.deepEqual(forbiddenModules(new Map([[from, text]]), rooms), [`${from} imports ${name}`]);
      }
    });
  }

  it('pass the request with content only to dispatch', () => {
    const importers = [...graph].filter(([, targets]) => targets.includes('client/chatStream.ts'));
    assert.deepEqual(
      importers.map(([path]) => path),
      ['client/serviceClient.ts', 'createServices.ts', 'send/dispatchParts.ts'],
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
