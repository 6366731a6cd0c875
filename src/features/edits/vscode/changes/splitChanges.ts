import { replyWords } from '../../../../platform/pages/callError.ts';
import type { FileChange } from '../../common/changeSet.ts';
import type { Choice } from '../../common/writeChanges.ts';
import { hiddenIn } from '../confirm.ts';
import { keeperFor } from '../secretKeeper.ts';
import { wholeTarget } from '../target.ts';
import type { ConversationChanges } from './conversationChanges.ts';
import { languageOf } from './languageOf.ts';

interface Split {
  /** The changes that can be written, with the text that was checked. */
  readonly ready: readonly Choice[];
  readonly stale: readonly FileChange[];
  readonly toReview: readonly FileChange[];
  readonly failures: readonly string[];
}

/**
 * Separates the changes of files that have changed since, and those that the user has to decide about in their diffs, where they
 * are asked: changes with hidden characters, and changes of secrets. `failures` says why files cannot be read.
 */
export async function splitChanges(changes: ConversationChanges, open: readonly FileChange[]): Promise<Split> {
  const ready: Choice[] = [];
  const stale: FileChange[] = [];
  const toReview: FileChange[] = [];
  const failures: string[] = [];
  const judge = async (change: FileChange) => {
    const { proposed } = change.draft;
    return { change, proposed, kind: await kindOf(changes, change) };
  };
  for (const found of await Promise.allSettled(open.map(judge))) {
    if (found.status === 'rejected') {
      failures.push(replyWords(found.reason));
      continue;
    }
    const { change, proposed, kind } = found.value;
    if (kind === 'ready') ready.push({ change, proposed });
    else (kind === 'stale' ? stale : toReview).push(change);
  }
  return { ready, stale, toReview, failures };
}

async function kindOf(changes: ConversationChanges, change: FileChange): Promise<'ready' | 'stale' | 'toReview'> {
  const { from, to, draft } = change;
  changes.set.check(change, await changes.files.lines(from ?? to ?? ''));
  if (change.state === 'stale') return 'stale';
  if (to === null || draft.isUnchanged) return 'ready';
  const document = await changes.files.document(from ?? to);
  const languageId = document?.languageId ?? languageOf(to, draft.proposed);
  const keeper = await keeperFor(document === null ? { kind: 'untitled', languageId } : wholeTarget(document));
  const found = hiddenIn({ draft, keeper, languageId }, draft.hunks);
  return found.length === 0 ? 'ready' : 'toReview';
}
