import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maskText, scanText } from '../../../../src/gate/secrets/scanner.ts';
import type { SignIn } from '../../../../src/platform/keys/helper/helperAnswer.ts';
import { HelperKeys } from '../../../../src/platform/keys/helper/helperKeys.ts';
import type { Connection } from '../../../../src/policy/connection.ts';
import type { KeyHelper } from '../../../../src/policy/managed/managedRules.ts';
import { type ErrorDetails, isServiceError, type ServiceError } from '../../../../src/util/errors.ts';
import { ServiceClock } from '../../../../src/util/serviceClock.ts';

export const never = new AbortController().signal;
export const connection: Connection = {
  name: null,
  baseUrl: 'https://svc.example.com/api/v1',
  origin: 'https://svc.example.com',
};

/** A folder with scripts, and the keys that they print in one or more windows. */
export class HelperStage {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-helper-'));
  readonly clock = new ServiceClock();
  readonly shown: SignIn[] = [];
  /** Cancels the sign-in that is shown; undefined while none is. */
  cancel: (() => void) | undefined;
  open: (path: string) => boolean | Promise<boolean> = () => false;
  askTime = async (): Promise<void> => undefined;
  readonly keys = this.window();

  /** Another window of the same user. */
  window(): HelperKeys {
    return new HelperKeys({
      folder: join(this.folder, 'storage'),
      clock: this.clock,
      isOpen: async (path) => this.open(path),
      showSignIn: (signIn, _connection, cancel) => {
        this.shown.push(signIn);
        this.cancel = cancel;
        return () => {
          this.cancel = undefined;
        };
      },
      askTime: () => this.askTime(),
      knownKeys: async () => ['svc_ent_stored_0123456789'],
      maskSecrets: async (text) => maskText(text, await scanText(text, { isFragment: true })),
    });
  }

  /** Writes a shell script, and returns its path. */
  script(text: string, name = 'helper.sh'): string {
    const path = join(this.folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  /** A script that prints a text, byte for byte. */
  printing(text: string | Uint8Array, rest = ''): string {
    const file = join(this.folder, 'output');
    writeFileSync(file, text);
    return this.script(`cat '${file}'\n${rest}`);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  remove(): void {
    this.keys.dispose();
    // A helper that is being ended may still write its files.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

export function byUser(program: string, more: Partial<KeyHelper['helper']> = {}): KeyHelper {
  return { helper: { command: [program], ...more }, by: 'user' };
}

export type Details = NonNullable<ErrorDetails<'auth'>['helper']>;

/** The error of a helper that gave no key. */
export async function failureOf(
  work: Promise<unknown>,
): Promise<ServiceError<'auth'> & { details: { helper: Details } }> {
  try {
    await work;
  } catch (error) {
    if (isServiceError(error) && error.kind === 'auth' && error.details.helper !== undefined) {
      return error as ServiceError<'auth'> & { details: { helper: Details } };
    }
    throw error;
  }
  throw new Error('the helper gave a key');
}
