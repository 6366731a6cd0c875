import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { cacheFolder, makeOnce, sharedMemory } from './folders.ts';

const run = promisify(execFile);

/** The launch options for Playwright. */
export interface BrowserProgram {
  readonly executablePath: string;
  readonly args: string[];
  /** Default arguments of Playwright to omit. */
  readonly ignoreDefaultArgs: string[];
  readonly env: Record<string, string>;
}

const names = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome'];
const applications = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

const quiet = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Tests connect only to this machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  // The sandbox does not work for root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/**
 * Playwright makes Chromium keep its shared memory on disk, because containers have a small /dev/shm. If /dev/shm is
 * large, a window opens in four fifths of the time when Chromium uses it.
 */
function unwanted(): string[] {
  return sharedMemory() === undefined ? [] : ['--disable-dev-shm-usage'];
}

/**
 * Returns the browser of CHROME_PATH, else an installed Chrome or Chromium, else the Chromium of an npm package, which
 * needs no installation. SVC_TEST_BROWSER=bundled selects the last one directly.
 */
export async function findBrowser(): Promise<BrowserProgram> {
  const installed = process.env.SVC_TEST_BROWSER === 'bundled' ? undefined : await findInstalled();
  if (installed !== undefined)
    return { executablePath: installed, args: quiet, ignoreDefaultArgs: unwanted(), env: environment() };
  return unpackBundled();
}

async function findInstalled(): Promise<string | undefined> {
  const { CHROME_PATH, PATH = '' } = process.env;
  if (CHROME_PATH !== undefined && CHROME_PATH !== '') return CHROME_PATH;
  const candidates = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  for (const candidate of [...candidates, ...applications]) {
    if (await runs(candidate)) return candidate;
  }
  return undefined;
}

/** Some distributions have a chromium-browser that only prints how to install one. */
async function runs(program: string): Promise<boolean> {
  try {
    await access(program, constants.X_OK);
    await run(program, ['--version', '--no-sandbox']);
    return true;
  } catch {
    return false;
  }
}

/** With the package's own libraries and font, for a Linux that has neither. */
async function unpackBundled(): Promise<BrowserProgram> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const bin = join(dirname(entry), '..', '..', 'bin');
  const root = join(cacheFolder, 'chromium');
  const executable = join(root, 'chromium');
  const fonts = join(root, 'fonts');
  await makeOnce(root, async () => {
    await writeFile(executable, await decompress(join(bin, 'chromium.br')), { mode: 0o755 });
    await unpack(join(bin, 'al2023.tar.br'), join(root, 'al2023'));
    await unpack(join(bin, 'fonts.tar.br'), fonts);
    await unpack(join(bin, 'swiftshader.tar.br'), root);
    // The package's own font configuration names folders of the cloud that it is made for.
    await writeFile(
      join(fonts, 'fonts.conf'),
      `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${fonts}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(fonts, 'cache')}</cachedir>
</fontconfig>
`,
    );
  });
  return {
    executablePath: executable,
    args: quiet,
    ignoreDefaultArgs: unwanted(),
    env: { ...environment(), LD_LIBRARY_PATH: join(root, 'al2023', 'lib'), FONTCONFIG_PATH: fonts },
  };
}

/** Every Linux has tar. `-o`: the owners in the archive do not exist here. */
async function unpack(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const tar = join(folder, '.unpacking.tar');
  await writeFile(tar, await decompress(archive));
  await run('tar', ['-x', '-o', '-f', tar, '-C', folder]);
  await rm(tar);
}

async function decompress(path: string): Promise<Uint8Array> {
  return promisify(brotliDecompress)(await readFile(path));
}

/**
 * Chromium sets these two in one thread while another reads the environment. A variable that is new moves the whole
 * environment in memory, and then Chromium crashes in getenv(), now and then on a busy machine. One that is
 * already there stays in its place.
 */
const setByChromium = { FC_FONTATIONS: '1', DBUS_SESSION_BUS_ADDRESS: 'disabled:' };

function environment(): Record<string, string> {
  const own = Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { ...Object.fromEntries(own), ...setByChromium };
}
