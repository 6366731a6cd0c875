// npm run contract: third-party validators, and generated inputs. The validators are heavy, so they have a separate
// package.json and are installed at the first run.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Mocha from 'mocha';
import { type Failure, writeCount } from '../tools/counts.ts';
import { installOnce } from '../tools/installOnce.ts';

const folder = fileURLToPath(new URL('./', import.meta.url));
installOnce(new URL('./', import.meta.url));

const mocha = new Mocha({ reporter: 'spec', timeout: 60_000 });
for (const name of readdirSync(folder)) if (name.endsWith('.test.ts')) mocha.addFile(join(folder, name));
mocha.addFile(fileURLToPath(new URL('../fuzz/fuzz.test.ts', import.meta.url)));
await mocha.loadFilesAsync();
const failures: Failure[] = [];
const runner = mocha.run((failed) => {
  const { passes = 0 } = runner.stats ?? {};
  writeCount('contract', { passed: passes, failures });
  // Timers of a validator must not keep the run alive.
  process.exit(failed === 0 ? 0 : 1);
});
runner.on('fail', (test, error) => failures.push({ title: test.fullTitle(), message: error.stack ?? error.message }));
