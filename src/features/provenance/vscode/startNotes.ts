import type * as vscode from 'vscode';
import { NoteKeeper } from './noteKeeper.ts';
import { offerRewriteRef } from './offerRewriteRef.ts';
import type { Provenance } from './provenance.ts';

/** Starts writing notes in the repositories for which they are turned on. */
export function startNotes({
  context,
  provenance,
  log,
}: {
  readonly context: vscode.ExtensionContext;
  readonly provenance: Provenance;
  readonly log: vscode.LogOutputChannel;
}): NoteKeeper {
  return new NoteKeeper({
    ownEdits: () => provenance.ownEdits(),
    forget: (edits) => provenance.forget(edits),
    onNoted: (place) => void offerRewriteRef(place, context.workspaceState).catch(() => undefined),
    logger: log,
  });
}
