import type { CodeSource } from './acceptedCode.ts';
import type { Proposal } from './proposal.ts';
import type { Proposals } from './proposals.ts';
import type { Target } from './target.ts';

/** A complete text for a target. */
export interface Change {
  readonly target: Target;
  readonly lines: readonly string[];
}

/**
 * Opens a diff for each change of one answer. The first is opened last, so that it is in front; when the user has
 * accepted or rejected it, the next comes to the front.
 */
export async function proposeInTurn(
  proposals: Pick<Proposals, 'begin' | 'complete'>,
  changes: readonly Change[],
  source: CodeSource,
): Promise<void> {
  let next: Proposal | undefined;
  for (const { target, lines } of [...changes].reverse()) {
    const proposal = await proposals.begin(target, () => undefined);
    if (next !== undefined) proposal.next = next;
    if (await proposals.complete(proposal, lines, source)) next = proposal;
  }
}
