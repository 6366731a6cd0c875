import { ownCandidate } from '../../../evidence/provenance/committed.ts';
import { editKeyOf } from '../../../evidence/provenance/lineKeys.ts';
import type { OwnEdit } from '../../../evidence/provenance/repository/noteCommits.ts';
import type { PendingEdit, PendingEdits } from '../../../store/provenance/pendingEdits.ts';
import type { ProvenanceKey } from './provenanceKey.ts';

interface OwnEditsParts {
  readonly key: Pick<ProvenanceKey, 'stored'>;
  readonly pending: Pick<PendingEdits, 'all'>;
}

/** Returns the edits that were accepted on this machine and are kept until they are committed, the newest first. */
export async function ownEdits({ key, pending }: OwnEditsParts): Promise<readonly OwnEdit[]> {
  const provenanceKey = await key.stored();
  if (provenanceKey === null) return [];
  return (await pending.all()).map((edit) => candidateOf(edit, provenanceKey));
}

function candidateOf({ edit, tags, matches, time, ...record }: PendingEdit, provenanceKey: Buffer): OwnEdit {
  const accepted = { ...record, edit, tags: Buffer.from(tags, 'base64') };
  const editKey = editKeyOf(provenanceKey, edit);
  return { ...ownCandidate(accepted, editKey, Buffer.from(matches, 'base64')), time: Math.floor(time / 1000) };
}
