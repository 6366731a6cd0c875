import type { FoundGlob, Globs } from '../../src/gate/globs/globs.ts';
import { finished } from './processorTime.ts';

/** Returns the glob that excludes a path or one of the folders above it, or null. */
export function checkPath(globs: Globs, path: string): FoundGlob | null {
  const name = path.lastIndexOf('/') + 1;
  return finished(globs.checkIn(path.slice(0, name)))(path.slice(name));
}
