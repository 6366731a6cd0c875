import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files that a setting can name, in a temporary folder that is removed with the test. */
export class TemporaryFiles {
  readonly #folder = mkdtempSync(join(tmpdir(), 'svc-files-'));
  #count = 0;

  /** Writes a file and returns its path. The same name again replaces it. */
  write(content: string, name = `${++this.#count}.pem`): string {
    const path = join(this.#folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
