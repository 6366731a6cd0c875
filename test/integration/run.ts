// Runs the suite inside the extension host of a real VS Code, of the oldest version that the manifest supports and of
// the newest: `node test/integration/run.ts [--version 1.110.0]`.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { findBrowser } from '../tools/browser.ts';
import { type Failure, writeCount } from '../tools/counts.ts';
import { newest, oldest } from '../tools/vscodeParts.ts';
import { sparseSettings, startForSuite } from '../tools/vscodeServer.ts';
import { ignoreTraffic } from '../tools/windowTraffic.ts';

interface Results {
  readonly passed: readonly { readonly title: string; readonly ms: number }[];
  readonly failures: readonly Failure[];
  /** The test that runs; null at the end. */
  readonly next: string | null;
}

/** Nobody looks at the window, and no test checks these parts: a tenth of the time is for drawing them. */
const unseen: Readonly<Record<string, unknown>> = {
  'workbench.editor.showTabs': 'none',
  'workbench.editor.editorActionsLocation': 'hidden',
  'workbench.statusBar.visible': false,
  'workbench.activityBar.location': 'hidden',
  'editor.bracketPairColorization.enabled': false,
  'editor.colorDecorators': false,
  'editor.guides.indentation': false,
  'editor.lightbulb.enabled': 'off',
  'editor.lineNumbers': 'off',
  'editor.links': false,
  'editor.matchBrackets': 'never',
  'editor.occurrencesHighlight': 'off',
  'editor.renderLineHighlight': 'none',
  'editor.semanticHighlighting.enabled': false,
  'editor.stickyScroll.enabled': false,
  'explorer.decorations.badges': false,
  'explorer.decorations.colors': false,
  'git.decorations.enabled': false,
};

/** What is opened: a folder on the disk, one that only VS Code can read, like a remote repository, or nothing. */
const places = ['folder', 'virtual', 'empty'] as const;
type Place = (typeof places)[number];

const asked = parseArgs({ options: { version: { type: 'string' } } }).values.version;
let passed = 0;
const failed: Failure[] = [];
const versions = asked === undefined ? [oldest, newest] : [asked];
// One after the other: in parallel they take as long on two cores, and each test takes twice as long.
for (const version of versions) {
  for (const place of places) report(version, place, await runSuite(version, place).catch(brokenIn(version)));
}
writeCount('integration', { passed, failures: failed });
if (failed.length > 0 || passed === 0) process.exitCode = 1;

function report(version: string, place: Place, { passed: titles, failures }: Results): void {
  for (const { title, ms } of titles) console.log(`  ok ${title} (${ms} ms)`);
  for (const { title, message } of failures) console.error(`  FAILED ${title}\n${message}\n`);
  console.log(`integration in VS Code ${version}, ${place}: ${titles.length} passed, ${failures.length} failed`);
  passed += titles.length;
  failed.push(...failures);
  const isSilent = titles.length + failures.length === 0;
  // A single suite runs in only one of the places.
  if (isSilent && process.env.SVC_TEST_GREP === undefined)
    failed.push({ title: `the suite in VS Code ${version}, ${place}`, message: 'No test ran.' });
}

function brokenIn(version: string): (error: unknown) => Results {
  return (error) => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { passed: [], failures: [{ title: `the suite in VS Code ${version}`, message }], next: null };
  };
}

async function runSuite(version: string, place: Place): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-integration-'));
  const resultsFile = join(folder, 'results.json');
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  // Installed like a released extension: the page accepts only one extension under development.
  cpSync('test/integration/otherExtension', join(folder, 'extensions', 'test.other-0.0.1'), { recursive: true });
  const server = await startForSuite({
    version,
    dataDir: join(folder, 'data'),
    extensionsDir: join(folder, 'extensions'),
    settings: { ...sparseSettings, ...unseen },
    env: {
      SVC_TEST_RESULTS: resultsFile,
      SVC_TEST_POLICY_FILE: join(folder, 'policy.json'),
      SVC_TEST_VSCODE: version,
      SVC_TEST_PLACE: place,
    },
  });
  const targets = { folder: workspace, virtual: `svc-test-folder://repo${workspace}`, empty: null };
  const browser = await chromium.launch(await findBrowser());
  try {
    // A small page without motion is cheaper to draw.
    const page = await browser.newPage({ viewport: { width: 800, height: 600 }, reducedMotion: 'reduce' });
    // Nobody looks at the page, and drawing it takes a tenth of the processor's time.
    await page.addInitScript(() =>
      document.addEventListener('DOMContentLoaded', () => document.body.style.setProperty('opacity', '0')),
    );
    await ignoreTraffic(page);
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    // The workbench calls this when the extension host has exited: without results by then, none will come.
    const { promise: ended, reject: end } = Promise.withResolvers<never>();
    await page.exposeFunction('codeAutomationExit', (code: number) => {
      const results = resultsIn(resultsFile);
      if (results?.next !== null)
        end(new Error(`The extension host ended (${code}): ${results?.next ?? 'no test began'}.`));
    });
    const remote = (path: string): string => `vscode-remote://127.0.0.1:${server.port}${resolve(path)}`;
    await page.goto(
      server.url(targets[place], [
        ['extensionDevelopmentPath', remote('.')],
        ['extensionTestsPath', remote('dist/test/integration.cjs')],
        ['skipWelcome', 'true'],
      ]),
    );
    return await Promise.race([arrived(resultsFile, folder, 180_000), ended]).catch((error: unknown) => {
      console.error([...server.output.slice(-20), ...said.slice(-40)].join('\n'));
      throw error;
    });
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves with the results at the end of the suite. Rejects if no test ends within `limitMs`. */
function arrived(file: string, folder: string, limitMs: number): Promise<Results> {
  const { promise, resolve: done, reject } = Promise.withResolvers<Results>();
  let last = 'VS Code was starting';
  const onSilence = (): void => reject(new Error(`Nothing happened within ${limitMs / 1000} s: ${last}.`));
  let limit = setTimeout(onSilence, limitMs);
  const look = (): void => {
    const results = resultsIn(file);
    if (results === undefined) return;
    if (results.next === null) done(results);
    if (results.next === null || results.next === last) return;
    last = results.next;
    clearTimeout(limit);
    limit = setTimeout(onSilence, limitMs);
  };
  const watching = watch(folder, look);
  look();
  return promise.finally(() => {
    watching.close();
    clearTimeout(limit);
  });
}

/** undefined if the file does not exist, or is only partly written: the next change triggers another read. */
function resultsIn(file: string): Results | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
