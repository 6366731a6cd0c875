import { readLayers } from '../../../platform/settings/settingsReader.ts';
import { isSwitchedOn } from '../../../policy/switchedOn.ts';

/**
 * Whether svc.provenance.notes is on for a repository (its URI). A workspace, a folder or a remote machine can turn it off,
 * but never on.
 */
export function areNotesEnabled(root: string): boolean {
  const [user = [], ...inner] = readLayers([root]).map(({ values }) => [values['svc.provenance.notes']]);
  return isSwitchedOn({ user, inner });
}
