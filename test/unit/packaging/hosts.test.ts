import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { iconFiles, shippedBundles } from '../../../esbuild.mjs';
import { moduleHosts } from '../../../src/gate/fingerprints/publicAddresses.ts';
import { listedFiles } from '../../tools/packaging/vsix.ts';

/** An address with its host, and text that ends like a host. In a regular expression a dot may be escaped. */
const address = /(?:https?|wss?|ftp):(?:\\?\/){2}((?:[a-z0-9-]+\\?\.)*[a-z0-9-]+)/gi;
const bare = /(?<![\w$.-])((?:[a-z0-9][a-z0-9-]*\\?\.)+(?:com|net|org|io|dev|ai|cloud|app|eu|us))(?![\w$-])/gi;

/** Hosts named in shipped files, none of which is ever contacted, each with its place and reason. */
const inert: readonly { readonly host: string; readonly file: RegExp; readonly why: string }[] = [
  {
    host: 'svc.example.com',
    file: /extension\.cjs$|host\/[\w-]+\.js$|l10n|nls|schema\.json$|\.md$/,
    why: 'an example of an address, for people',
  },
  { host: 'docs.oasis-open.org', file: /review-\w+\.js$/, why: 'the name of the SARIF schema, in an exported file' },
  { host: 'c2sp.org', file: /verify\.mjs$|docs\/audit\.md$/, why: 'the name of a format, and links for people to it' },
  { host: 'www.w3.org', file: /webview|svc(-dark|-light)?\.svg$/, why: 'names of XML namespaces' },
  { host: 'json-schema.org', file: /schema\.json$/, why: 'the name of the schema language' },
  {
    host: 'github.com',
    file: /(?:scanner|excludedContent)-\w+\.js$|docs\/(?:secrets|audit)\.md$/,
    why: 'where a rule of secretlint is documented, links for people to other tools, and in the list of hosts for modules',
  },
  ...hostsIn([...moduleHosts].join(' '))
    .filter((host) => host !== 'github.com')
    .map((host) => ({ host, file: /excludedContent-\w+\.js$/, why: 'in the list of hosts for modules' })),
  { host: 'www.apache.org', file: /excludedContent-\w+\.js$/, why: 'the text of a license' },
  { host: 'mozilla.org', file: /excludedContent-\w+\.js$/, why: 'the text of a license' },
  { host: 'www.gnu.org', file: /excludedContent-\w+\.js$/, why: 'the text of a license' },
  { host: 'unlicense.org', file: /excludedContent-\w+\.js$/, why: 'the text of a license' },
  { host: 'hooks.slack.com', file: /scanner-\w+\.js$/, why: 'the pattern of a secret' },
  { host: 'discord.com', file: /scanner-\w+\.js$/, why: 'what a secret begins with' },
  { host: 'discordapp.com', file: /scanner-\w+\.js$/, why: 'what a secret begins with' },
  { host: 'example.com', file: /scanner-\w+\.js$/, why: 'an address that is no secret' },
  { host: 'example.org', file: /scanner-\w+\.js$/, why: 'an address that is no secret' },
  { host: 'test.com', file: /scanner-\w+\.js$/, why: 'an address that is no secret' },
];

function hostsIn(text: string): readonly string[] {
  const found = [address, bare].flatMap((pattern) => [...text.matchAll(pattern)].map(([, host = '']) => host));
  return [...new Set(found.map((host) => host.replaceAll('\\', '').toLowerCase()))];
}

/** Every shipped file except the licenses and the bill of materials: text that nothing opens. */
async function shippedTexts(): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const options of shippedBundles) {
    for (const { path, text } of (await build({ ...options, write: false })).outputFiles) texts.set(path, text);
  }
  const files = listedFiles().filter((file) => !file.startsWith('dist/') && file !== 'LICENSE');
  for (const file of files) texts.set(file, readFileSync(file, 'latin1'));
  for (const [file, content] of Object.entries(await iconFiles())) texts.set(file, content.toString('latin1'));
  return texts;
}

describe('hosts in shipped files', () => {
  let texts: ReadonlyMap<string, string>;
  before(async () => {
    texts = await shippedTexts();
  });

  it('are found in any spelling', () => {
    const written = 'a("https://one.example/x"),b.two.com,c=/https:\\/\\/three\\.four\\.net/,"five.six.io"';
    assert.deepEqual(hostsIn(written), ['one.example', 'three.four.net', 'b.two.com', 'five.six.io']);
  });

  it('are only the inert ones', () => {
    const met = new Set<string>();
    for (const [file, text] of texts) {
      for (const host of hostsIn(text)) {
        assert.ok(
          inert.some((one) => one.host === host && one.file.test(file)),
          `${file} names ${host}`,
        );
        met.add(host);
      }
    }
    // Allowed hosts that no longer occur are removed from the list.
    assert.deepEqual([...met].sort(), inert.map(({ host }) => host).sort());
  });

  it('our code contains no telemetry, and only the client opens connections', () => {
    for (const [file, text] of texts) {
      if (!/\.(cjs|js)$/.test(file)) continue;
      const ways = ['machineId', 'createTelemetryLogger', 'sendBeacon', 'XMLHttpRequest', 'new EventSource', 'fetch('];
      // A method of a parser that takes nothing has this name, too.
      const used = ways.filter((way) => text.replaceAll('fetch()', '').includes(way));
      assert.deepEqual(used, /serviceClient-\w+\.js$/.test(file) ? ['fetch('] : [], file);
    }
  });
});
