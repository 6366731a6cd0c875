import type { ManagedProblem } from '../../policy/managed/fileValues.ts';

let describe: ((problem: ManagedProblem) => string) | undefined;

/** Loads the words for a policy that cannot be used. Most machines have none, and their start does not load them. */
export async function loadManagedWords(): Promise<void> {
  const { describeManagedProblem } = await import('./describeManaged.ts');
  describe = describeManagedProblem;
}

/** Explains why the administrator's policy cannot be used. Returns an empty text until the words are loaded. */
export function managedProblemWords(problem: ManagedProblem): string {
  return describe?.(problem) ?? '';
}
