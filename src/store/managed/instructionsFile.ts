import { dirname, join } from 'node:path';
import type { ManagedFault } from '../../policy/managed/fileValues.ts';
import { areInstructions, maxInstructionsBytes } from '../../policy/managed/instructionsPolicy.ts';
import type { ManagedState } from '../../policy/managed/managedPolicy.ts';
import { type IsOpenToUser, readGuarded } from './managedFileGuard.ts';

type InForce = Extract<ManagedState, { readonly state: 'in-force' }>;

/** Adds the organization's instructions from a file beside the policy. Without them, the policy is broken. */
export async function withInstructions(
  state: InForce,
  name: string,
  isOpen: IsOpenToUser,
  onRead: ((path: string) => void) | undefined,
): Promise<ManagedState> {
  const wrong = (found: ManagedFault): ManagedState => ({
    state: 'broken',
    file: state.file,
    problem: {
      reason: 'malformed',
      where: { kind: 'key', path: 'instructionsFile' },
      found,
      allowed: { kind: 'instructionsFile' },
    },
  });
  const value = (fault: string): ManagedFault => ({ kind: 'value', json: `${JSON.stringify(name)} (${fault})` });
  const path = join(dirname(state.file), name);
  onRead?.(path);
  const found = await readGuarded(path, maxInstructionsBytes, isOpen);
  if (found === null) return wrong(value('ENOENT'));
  if ('reason' in found)
    return found.reason === 'unreadable'
      ? wrong(value(found.detail))
      : { state: 'broken', file: state.file, problem: found };
  let instructions: string;
  try {
    instructions = new TextDecoder('utf-8', { fatal: true }).decode(found);
  } catch {
    return wrong({ kind: 'notUtf8' });
  }
  if (!areInstructions(instructions)) return wrong(value('EINVAL'));
  return { ...state, policy: { ...state.policy, instructions } };
}
