import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type GitPlace, runGit } from './run.ts';

/** The maximum size in bytes of a list of rules that git may read. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Returns the options for a command that reads `core.excludesFile`. They disable that file if reading it might never end (a
 * pipe), or if it is larger than any list of rules. Our own rules treat such a file as one that excludes everything it
 * could.
 */
export async function excludesOptions(place: GitPlace): Promise<readonly string[]> {
  const configArguments = ['config', '-z', '--path', '--get', 'core.excludesFile'];
  // Git ends with an error if it is not set.
  const output = await runGit(place, configArguments).catch(() => Buffer.of());
  const named = output.toString().replace(/\0$/, '');
  const path = named === '' ? usualFile() : resolve(place.folder, named);
  const state = await stat(path).catch(() => null);
  return state === null || (state.isFile() && state.size <= maxBytes) ? [] : ['-c', 'core.excludesFile='];
}

function usualFile(): string {
  const { XDG_CONFIG_HOME: settings, HOME: home } = process.env;
  return settings ? join(settings, 'git', 'ignore') : join(home ?? homedir(), '.config', 'git', 'ignore');
}
