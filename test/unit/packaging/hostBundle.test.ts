import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { loadedTogether } from '../../../esbuild.mjs';
import { bytesOf, hostOutputs, loadedWith } from '../../tools/hostOutputs.ts';

describe('the bundle of the extension', () => {
  let outputs: Awaited<ReturnType<typeof hostOutputs>>;
  before(async () => {
    outputs = await hostOutputs();
  });

  const ofEntry = (entry: string): string => {
    const isIts = (entryPoint: string): boolean => [entry, `after-start:${entry}`].includes(entryPoint);
    const [file] = Object.entries(outputs).find(([, { entryPoint = '' }]) => isIts(entryPoint)) ?? [];
    return file ?? assert.fail(`${entry} has no file of its own`);
  };

  it('loads little on activation: no client, no scanner, no schemas, no history', () => {
    const loaded = loadedWith(outputs, 'dist/extension.js');
    assert.ok(bytesOf(outputs, loaded) <= 62_000);
    const modules = [...loaded].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
    assert.ok(modules.includes('src/platform/settings/requestContextReader.ts'));
    assert.ok(!modules.includes('src/platform/messages/describeManaged.ts'));
    assert.deepEqual(
      modules.filter(
        (module) => module.startsWith('node_modules/') || /src\/(client|session|review|webview)\//.test(module),
      ),
      [],
    );
  });

  it('loads two files on activation, of which one only names what the other exports', () => {
    const loaded = loadedWith(outputs, 'dist/extension.js');
    assert.equal(loaded.size, 2);
    assert.ok(bytesOf(outputs, ['dist/extension.js']) < 500);
  });

  it('names chunks alike on each machine', () => {
    const chunks = Object.values(outputs).flatMap(({ entryPoint = '' }) => entryPoint.split('after-start:')[1] ?? []);
    assert.ok(chunks.includes('src/createServices.ts'));
    assert.deepEqual(
      chunks.filter((path) => !path.startsWith('src/')),
      [],
    );
  });

  it('has each export of modules that are loaded together: of two with one name, it would have none', () => {
    const names = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
    for (const group of loadedTogether) {
      const exported = group.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(names)].map(([, name]) => name));
      assert.deepEqual(outputs[ofEntry(group[0] ?? '')]?.exports.toSorted(), exported.toSorted());
    }
  });

  it('loads the client only with the first request', () => {
    const client = ofEntry('src/client/serviceClient.ts');
    assert.ok(bytesOf(outputs, [client]) < 300_000);
    assert.deepEqual(
      Object.keys(outputs).filter((file) => loadedWith(outputs, file).has(client)),
      [client],
    );
  });

  it('starts from the file that the manifest names', () => {
    const { main } = JSON.parse(readFileSync('package.json', 'utf8'));
    assert.equal(main, `./${ofEntry('src/extension.ts')}`);
  });
});
