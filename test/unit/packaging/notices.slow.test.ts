import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { copiedFiles, shippedBundles } from '../../../esbuild.mjs';
import { type BundledPackage, bundledPackages } from '../../tools/packaging/contents.ts';
import { noticeOf, thirdPartyNotices } from '../../tools/packaging/notices.ts';
import { madeFiles } from '../../tools/packaging/vsix.ts';

/** The packages that esbuild put into shipped files, determined independently of the code under test. */
async function packagesInMetafiles(): Promise<readonly string[]> {
  const inputs = Object.values(copiedFiles);
  for (const options of shippedBundles) {
    const { metafile } = await build({ ...options, write: false, metafile: true });
    for (const output of Object.values(metafile.outputs)) {
      inputs.push(...Object.keys(output.inputs).filter((input) => (output.inputs[input]?.bytesInOutput ?? 0) > 0));
    }
  }
  const names = inputs.map((input) => input.split('node_modules/').at(-1)?.split('/') ?? []);
  const scoped = names.map(([first = '', second = '']) => (first.startsWith('@') ? `${first}/${second}` : first));
  return [...new Set(scoped.filter((_, index) => inputs[index]?.includes('node_modules/')))].sort();
}

interface Sbom {
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly hashes?: readonly { readonly content: string }[];
    readonly evidence: { readonly occurrences: readonly { readonly location: string }[] };
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

describe('notices and bill of materials', () => {
  let packages: readonly BundledPackage[] = [];
  let notices = '';
  let bill: Sbom;
  before(async () => {
    packages = await bundledPackages();
    notices = thirdPartyNotices(packages);
    bill = JSON.parse((await madeFiles())['sbom.cdx.json'] ?? '');
  });

  it('list exactly the packages in the bundles', async () => {
    const byThemselves = packages.filter(({ carriedBy }) => carriedBy === null).map(({ name }) => name);
    assert.deepEqual(byThemselves, await packagesInMetafiles());
    for (const name of ['@vscode/codicons', 'prismjs', 'undici', 'preact'])
      assert.ok(byThemselves.includes(name), name);
  });

  it('list packages that were bundled into a package before its publication', () => {
    const carried = packages.filter(({ carriedBy }) => carriedBy !== null);
    const names = carried.map(({ name }) => name);
    for (const name of ['llhttp', 'lodash.uniq', '@secretlint/secretlint-rule-aws'])
      assert.ok(names.includes(name), name);
    const all = new Set(packages.map(({ name }) => name));
    for (const { name, carriedBy } of carried) assert.ok(all.has(carriedBy ?? ''), name);
  });

  it('have a version and a license text for each', () => {
    const licenses = new Set(['MIT', 'BSD-2-Clause', 'CC-BY-4.0']);
    for (const { name, version, license, licenseText } of packages) {
      assert.ok(licenses.has(license), `${name}: ${license} is new here; may it be shipped?`);
      assert.match(licenseText, /permission is hereby granted|redistribution and use|creative commons/i, name);
      assert.ok(version !== null || name === 'llhttp', name);
      assert.ok(notices.includes(version === null ? `${name} (` : `${name} ${version} (${license}`), name);
      assert.ok(notices.includes(noticeOf(licenseText)), name);
    }
  });

  it('name the address of the license of the icons, not its text, and what was changed', () => {
    assert.match(
      notices,
      /codicons .*\n\nCopyright \(c\) Microsoft[\s\S]*nothing else was changed\.[\s\S]*by\/4\.0\/legalcode\n/,
    );
    assert.doesNotMatch(notices, /Adapter's License/);
  });

  it('the bill is CycloneDX 1.6: each package once, with its hash, its files and its dependents', () => {
    assert.equal(bill.specVersion, '1.6');
    assert.match(bill.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const refs = bill.components.map((component) => component['bom-ref']);
    assert.equal(new Set(refs).size, packages.length);
    assert.deepEqual(
      refs,
      packages.map(
        ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}${version === null ? '' : `@${version}`}`,
      ),
    );
    for (const [index, { name, carriedBy }] of packages.entries()) {
      const component = bill.components[index];
      assert.equal(component?.hashes?.[0]?.content.length, carriedBy === null ? 128 : undefined, name);
      assert.ok((component?.evidence.occurrences.length ?? 0) > 0, name);
    }
    const [root, ...others] = bill.dependencies;
    const brought = [...(root?.dependsOn ?? []), ...others.flatMap(({ dependsOn }) => dependsOn)];
    assert.deepEqual(brought.sort(), refs.toSorted());
  });
});
