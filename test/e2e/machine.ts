import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Computer } from './computer.ts';
import type { Workbench } from './workbench.ts';

/** The extension that makes a folder of the test the machine's: see its main.cjs. */
export const machineExtension = 'test/e2e/machine';

/** What an administrator sets on a story's own computer, which has the extension above. */
export class Machine {
  readonly #folder: string;

  constructor(computer: Computer) {
    this.#folder = join(computer.otherExtension, 'machine');
    mkdirSync(this.#folder);
    this.#write('clock', '0');
  }

  /** Replaces the policy file of the machine. */
  writePolicy(policy: object): void {
    this.#write('policy.json', JSON.stringify({ version: 1, ...policy }));
  }

  /** Adds a program beside the policy file: it is /etc/svc/NAME for a window. */
  addProgram(name: string, text: string): void {
    this.#write(name, text);
    chmodSync(join(this.#folder, name), 0o755);
  }

  /** Sets the clock as much ahead of the right time, for the extensions of a window. */
  async setClock({ page }: Workbench, aheadMs: number): Promise<void> {
    this.#write('clock', String(aheadMs));
    await expect(page.getByText(`clock ${aheadMs}`, { exact: true })).toBeVisible();
  }

  /** A reader finds the whole text, or the one before. */
  #write(name: string, text: string): void {
    const path = join(this.#folder, name);
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }
}
