import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { listedFiles } from '../../tools/packaging/vsix.ts';
import { oldest } from '../../tools/vscodeParts.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const nls: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.nls.json', 'utf8'));

/** Requirements of the Visual Studio Marketplace and Open VSX for an extension. */
describe('the manifest, for a marketplace', () => {
  it('names a publisher, a name, a version and a license in the required format', () => {
    assert.match(manifest.publisher, /^[a-z0-9][a-z0-9-]*$/i);
    assert.match(manifest.name, /^[a-z0-9][a-z0-9-]*$/);
    assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
    assert.equal(manifest.license, 'MIT');
    assert.match(readFileSync('LICENSE', 'utf8'), /^MIT License/);
    assert.match(
      readFileSync('CHANGELOG.md', 'utf8'),
      new RegExp(`^## ${manifest.version.replaceAll('.', '\\.')}$`, 'm'),
    );
  });

  it('uses no proposed API and no other extension, and does not activate on `*`', () => {
    const { enabledApiProposals, extensionDependencies, extensionPack, activationEvents } = manifest;
    assert.deepEqual([enabledApiProposals, extensionDependencies, extensionPack], [undefined, undefined, undefined]);
    assert.ok(!activationEvents.includes('*'));
  });

  it('contributes models in groups that VS Code manages, without a management command', () => {
    const { languageModelChatProviders, chatParticipants } = manifest.contributes;
    assert.deepEqual(languageModelChatProviders, [
      { vendor: 'svc', displayName: 'Svc', configuration: { type: 'object', properties: {} } },
    ]);
    const [{ name, commands }] = chatParticipants;
    assert.deepEqual(
      [name, ...commands.map((command: { readonly name: string }) => command.name)],
      ['svc', 'explain', 'generate', 'review'],
    );
  });

  it('requires the oldest VS Code that the tests run on', () => {
    assert.equal(manifest.engines.vscode, `^${oldest}`);
    assert.equal(manifest.devDependencies['@types/vscode'], oldest);
  });

  it('has a description, categories that both marketplaces accept, and few keywords', () => {
    const known = new Set([
      'AI',
      'Chat',
      'Programming Languages',
      'Snippets',
      'Linters',
      'Machine Learning',
      'Testing',
      'Other',
    ]);
    const description = nls[manifest.description.slice(1, -1)] ?? '';
    assert.ok(description.length > 20 && description.length < 250, description);
    assert.ok(manifest.categories.length > 0);
    assert.deepEqual(
      manifest.categories.filter((category: string) => !known.has(category)),
      [],
    );
    assert.ok(manifest.keywords.length <= 30);
  });

  it('ships its readme, changelog, license and an icon of at least 128 pixels', () => {
    const files = listedFiles();
    for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md', manifest.icon]) {
      assert.ok(files.includes(file), file);
      assert.ok(existsSync(file), file);
    }
    const icon = readFileSync(manifest.icon);
    assert.equal(icon.toString('latin1', 1, 4), 'PNG');
    const [width, height] = [icon.readUInt32BE(16), icon.readUInt32BE(20)];
    assert.ok(width >= 128 && width === height, `${width} x ${height}`);
  });

  it('has a text for every name between percent signs', () => {
    const names = [...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map(([, name = '']) => name);
    assert.deepEqual(
      names.filter((name) => nls[name] === undefined),
      [],
    );
  });
});
