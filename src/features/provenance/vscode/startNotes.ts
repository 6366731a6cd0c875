import type { Services } from '../../../services.ts';
import { NoteKeeper } from './noteKeeper.ts';
import { offerRewriteRef } from './offerRewriteRef.ts';

/** Writes notes from now on, in the repositories where they are turned on. */
export function startNotes({ context, provenance, log }: Pick<Services, 'context' | 'provenance' | 'log'>): NoteKeeper {
  return new NoteKeeper({
    ownEdits: () => provenance.ownEdits(),
    forget: (edits) => provenance.forget(edits),
    onNoted: (place) => void offerRewriteRef(place, context.workspaceState).catch(() => undefined),
    logger: log,
  });
}
