import { createPrivateKey, randomBytes, sign } from 'node:crypto';
import { join } from 'node:path';
import { originOf } from '../../../evidence/logId.ts';
import { publicKeyOf, type Signer, signerOf } from '../../../evidence/note.ts';
import { withLock } from '../../lock.ts';
import { makeAuditFolder } from '../auditFiles.ts';
import type { SecretSlots } from '../auditSecrets.ts';

export interface LedgerKey extends Signer {
  readonly origin: string;
  /** The key that replaces this one, if it has been prepared. */
  readonly next?: LedgerKey;
}

interface SigningKeyParts {
  readonly folder: string;
  readonly secrets: SecretSlots;
  readonly slot: string;
  /** Returns the prefix of the names of new ledgers; undefined means `svc-coder`. */
  readonly prefix?: (() => string | undefined) | undefined;
}

/**
 * The Ed25519 key of this folder: a seed of 32 bytes, in the secret storage and nowhere else. Its ledger is named after
 * it, so each key has its own ledger.
 */
export class SigningKey {
  readonly #parts: SigningKeyParts;

  constructor(parts: SigningKeyParts) {
    this.#parts = parts;
  }

  /** Reads the key. Returns null if there is none. Throws the errors of the secret storage. */
  async read(): Promise<LedgerKey | null> {
    const stored = await this.#parts.secrets.get(this.#parts.slot);
    const [key, next] = (stored ?? '').split(' ').map(keyOf);
    if (key === null || key === undefined) return null;
    return next === null || next === undefined ? key : { ...key, next };
  }

  /** Creates the key if there is none. Two windows that start for the first time must not both create one. */
  async readOrMake(): Promise<LedgerKey> {
    const { folder, secrets, slot } = this.#parts;
    const found = await this.read();
    if (found !== null) return found;
    await makeAuditFolder(folder);
    return withLock(join(folder, 'key.lock'), async () => {
      const stored = (await secrets.get(slot)) ?? this.#newKey();
      await secrets.set(slot, stored);
      return required(keyOf(stored.split(' ')[0] ?? ''));
    });
  }

  /** Creates the next key, before the last line of the old ledger names it. Call this only under the ledger's lock. */
  async prepareNext(): Promise<LedgerKey> {
    const { secrets, slot } = this.#parts;
    const old = ((await secrets.get(slot)) ?? '').split(' ')[0];
    await secrets.set(slot, `${old} ${this.#newKey()}`);
    return required((await this.read())?.next ?? null);
  }

  /** Deletes the old seed, so that the next one replaces it. Call this only under the ledger's lock. */
  async switchToNext(): Promise<LedgerKey> {
    const { secrets, slot } = this.#parts;
    const [, next = this.#newKey()] = ((await secrets.get(slot)) ?? '').split(' ');
    await secrets.set(slot, next);
    return required(await this.read());
  }

  #newKey(): string {
    const prefix = this.#parts.prefix?.();
    const seed = randomBytes(32).toString('hex');
    return prefix === undefined ? seed : `${seed}:${prefix}`;
  }
}

/** Parses a stored key: the seed in hex and, if it is not the usual one, the prefix of its ledger's name. */
function keyOf(stored: string): LedgerKey | null {
  const [, hex, prefix] = /^([0-9a-f]{64})(?::(\S+))?$/.exec(stored) ?? [];
  if (hex === undefined) return null;
  const seed = Buffer.from(hex, 'hex');
  const origin = originOf(publicKeyOf(seed), prefix);
  return { ...signerOf(origin, seed), origin };
}

function required<T>(key: T | null): T {
  if (key === null) throw Object.assign(new Error('No key.'), { code: 'ERR_CRYPTO_INVALID_KEYLEN' });
  return key;
}

/** The key and the signature of test 1 in RFC 8032, section 7.1. */
const known = {
  key: '302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  signature:
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
};

/** Whether this build of Node signs with Ed25519 correctly: VS Code uses a different cryptographic library from Node's. */
export function canSign(): boolean {
  try {
    const key = createPrivateKey({ key: Buffer.from(known.key, 'hex'), format: 'der', type: 'pkcs8' });
    return sign(null, Buffer.alloc(0), key).toString('hex') === known.signature;
  } catch {
    return false;
  }
}
