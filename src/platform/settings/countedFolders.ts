/** The parts of a URI that are needed here. */
export interface Place {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

/**
 * Returns the workspace folders whose settings apply to content at some places: all folders that contain one of the places, not
 * only the innermost. Content without a path in a file system (an unsaved document, a terminal) may come from anywhere: then the
 * settings of all folders apply.
 */
export function countedFolders<T extends Place>(
  places: readonly Place[],
  folders: readonly T[],
  isFileSystem: (scheme: string) => boolean,
): readonly T[] {
  const counted = new Set<T>();
  for (const place of places) {
    const around = folders.filter((folder) => contains(folder, place));
    const isElsewhere = around.length === 0 && isFileSystem(place.scheme);
    if (isElsewhere) continue;
    for (const folder of around.length === 0 ? folders : around) counted.add(folder);
  }
  return folders.filter((folder) => counted.has(folder));
}

/**
 * Whether a folder contains a place. Ignores the scheme (`git:`, a notebook's cell) and the case, because a folder too many
 * is stricter, and a folder too few is looser.
 */
function contains(folder: Place, place: Place): boolean {
  if (folder.scheme === place.scheme && folder.authority !== place.authority) return false;
  const root = folder.path.toLowerCase().replace(/\/+$/, '');
  const path = place.path.toLowerCase();
  return path === root || path.startsWith(`${root}/`);
}
