import type { Disk } from '../../files/disk.ts';

/** The results by folder, each checked once, because case sensitivity does not change. */
const cache = new WeakMap<Disk, Map<string, boolean>>();

/** The maximum number of candidate names, because a folder may have tens of thousands of names. */
const maxCandidates = 100;

/**
 * Whether a folder's file system ignores case; null if its names do not allow a test. Looks up an existing name in the other
 * case, because case sensitivity depends on the file system, not on the platform.
 */
export async function ignoresCase(disk: Disk, folder: string): Promise<boolean | null> {
  const answers = cache.get(disk) ?? new Map<string, boolean>();
  cache.set(disk, answers);
  const answer = answers.get(folder) ?? (await probe(disk, folder));
  if (answer !== null) answers.set(folder, answer);
  return answer;
}

async function probe(disk: Disk, folder: string): Promise<boolean | null> {
  let names: readonly string[];
  try {
    names = await disk.names(folder);
  } catch {
    return null;
  }
  const candidates = new Set<string>();
  for (const one of names) {
    if (otherCase(one) !== one) candidates.add(otherCase(one));
    if (candidates.size === maxCandidates) break;
  }
  for (const one of names) candidates.delete(one);
  const [name] = candidates;
  return name === undefined ? null : disk.exists(`${folder.replace(/\/$/, '')}/${name}`);
}

function otherCase(name: string): string {
  return name.replace(/[a-zA-Z]/g, (letter) => {
    const lower = letter.toLowerCase();
    return letter === lower ? letter.toUpperCase() : lower;
  });
}
