// Trust policies: https://c2sp.org/tlog-policy.
import { cosignedAt, keyTypes, parseVkey, type SignedNote, type VerifierKey } from './note.ts';

export interface Policy {
  /** The keys of the logs, by their origin. */
  readonly logs: ReadonlyMap<string, VerifierKey>;
  /** The witnesses, by their names in the policy. */
  readonly witnesses: ReadonlyMap<string, VerifierKey>;
  readonly groups: ReadonlyMap<string, Group>;
  /** The witness or group that must have cosigned; null if none is required. */
  readonly quorum: string | null;
}

interface Group {
  readonly least: number;
  /** Names of witnesses. */
  readonly members: readonly string[];
}

/** A policy that cannot be used: `line` is counted from 1. */
export class PolicyFault extends Error {
  override readonly name = 'PolicyFault';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Reads a policy from its bytes: names are compared byte by byte. Throws a {@link PolicyFault}. */
export function parsePolicy(bytes: Uint8Array): Policy {
  const logs = new Map<string, VerifierKey>();
  const witnesses = new Map<string, VerifierKey>();
  const groups = new Map<string, Group>();
  /** Keys of logs and of witnesses, and the members of groups: each may appear only once. */
  const [logKeys, witnessKeys, taken] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let quorum: string | null | undefined;
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  for (const [index, line] of lines.entries()) {
    const fail = (message: string): never => {
      throw new PolicyFault(index + 1, message);
    };
    if (/[^\t\x20-\x7e\x80-\xff]/.test(line)) fail('control character');
    const [word, ...rest] = line.split(/[ \t]+/).filter((part) => part !== '');
    if (word === undefined || word.startsWith('#')) continue;
    if (word === 'log' && (rest.length === 1 || rest.length === 2)) {
      const key = keyOf(rest[0], keyTypes.ed25519) ?? fail('no Ed25519 key of a log');
      if (!isNewKey(logKeys, key) || logs.has(key.name)) fail('the same log twice');
      logs.set(key.name, key);
    } else if (word === 'witness' && (rest.length === 2 || rest.length === 3)) {
      const key = keyOf(rest[1], keyTypes.cosignature) ?? fail('no key of a witness');
      if (!isNewKey(witnessKeys, key)) fail('the same witness twice');
      witnesses.set(newName(rest[0]) ?? fail('a name that is taken'), key);
    } else if (word === 'group' && rest.length >= 3) {
      const group = groupOf(rest) ?? fail('no group of known witnesses');
      groups.set(newName(rest[0]) ?? fail('a name that is taken'), group);
    } else if (word === 'quorum' && rest.length === 1 && quorum === undefined) {
      quorum = rest[0] === 'none' ? null : (knownName(rest[0]) ?? fail('an unknown name'));
    } else {
      fail('unknown, or twice');
    }
  }
  if (quorum === undefined) throw new PolicyFault(lines.length, 'no quorum');
  return { logs, witnesses, groups, quorum };

  function isKnown(name: string): boolean {
    return witnesses.has(name) || groups.has(name);
  }

  function knownName(name: string | undefined): string | null {
    return name !== undefined && isKnown(name) ? name : null;
  }

  function newName(name: string | undefined): string | null {
    return name === undefined || name === 'none' || isKnown(name) ? null : name;
  }

  /** A witness can be a member of only one group, so that no witness counts twice. */
  function groupOf([, least, ...members]: readonly string[]): Group | null {
    if (!members.every((name) => witnesses.has(name) && !taken.has(name)) || new Set(members).size < members.length)
      return null;
    for (const name of members) taken.add(name);
    const count =
      least === 'all' ? members.length : least === 'any' ? 1 : /^[1-9]\d{0,4}$/.test(least ?? '') ? Number(least) : 0;
    return count >= 1 && count <= members.length ? { least: count, members } : null;
  }
}

/** The text of a policy is read as latin1; names of keys are UTF-8. */
function keyOf(vkey: string | undefined, type: VerifierKey['type']): VerifierKey | null {
  const key = parseVkey(Buffer.from(vkey ?? '', 'latin1').toString('utf8'));
  return key !== null && key.type === type ? key : null;
}

function isNewKey(keys: Set<string>, { publicKey }: VerifierKey): boolean {
  return keys.size < keys.add(publicKey.toString('hex')).size;
}

/** Whether the witnesses that a policy requires have cosigned a note. */
export function hasQuorum(note: SignedNote, { quorum, witnesses, groups }: Policy): boolean {
  if (quorum === null) return true;
  const { least, members } = groups.get(quorum) ?? { least: 1, members: [quorum] };
  const isBy = (name: string): boolean => {
    const witness = witnesses.get(name);
    return witness !== undefined && cosignedAt(note, witness) !== null;
  };
  return members.filter(isBy).length >= least;
}
