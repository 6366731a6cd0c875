import type { Disk } from '../disk.ts';

/** By folder, asked once: a disk does not change its ways. */
const known = new WeakMap<Disk, Map<string, boolean>>();

/**
 * Whether a folder's file system takes a name in either case for the same file; null where no name in it could tell. It is
 * asked for a name that is there in the other case: case is a matter of a file system, not of a platform.
 */
export async function ignoresCase(disk: Disk, folder: string): Promise<boolean | null> {
  const answers = known.get(disk) ?? new Map<string, boolean>();
  known.set(disk, answers);
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
  const all = new Set(names);
  const name = names.find((one) => otherCase(one) !== one && !all.has(otherCase(one)));
  return name === undefined ? null : disk.exists(`${folder.replace(/\/$/, '')}/${otherCase(name)}`);
}

function otherCase(name: string): string {
  return name.replace(/[a-zA-Z]/g, (letter) => {
    const lower = letter.toLowerCase();
    return letter === lower ? letter.toUpperCase() : lower;
  });
}
