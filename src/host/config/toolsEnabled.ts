import { isSwitchedOn } from '../../policy/switchedOn.ts';
import { isServiceError } from '../../util/errors.ts';
import type { RequestContextReader } from './requestContextReader.ts';
import { allFolders, readLayers } from './settingsReader.ts';

const key = 'svc.tools.enabled';

/** Whether the panel offers tools. Any workspace or folder can disable them; none can enable them. */
export function areToolsEnabled(contextReader: Pick<RequestContextReader, 'requireFeature'>): boolean {
  const [user, ...inner] = readLayers(allFolders());
  const isOn = isSwitchedOn({ user: [user?.values[key]], inner: inner.map(({ values }) => [values[key]]) });
  return isOn && isAllowed(contextReader);
}

function isAllowed(contextReader: Pick<RequestContextReader, 'requireFeature'>): boolean {
  try {
    contextReader.requireFeature('tools');
    return true;
  } catch (error) {
    if (isServiceError(error)) return false;
    throw error;
  }
}
