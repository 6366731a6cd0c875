import { spawn } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { type ChildEnd, childOutput } from './childOutput.ts';
import { plainCommands, quietSettings, settingsAgainst } from './settings.ts';

export interface GitStart {
  readonly program: string;
  /** The folder in which git works; null for a command that is not about a repository. */
  readonly folder: string | null;
  /** Settings (`-c`) and options may come before the command. */
  readonly args: readonly string[];
  readonly input?: string;
  /** The time limit in milliseconds. */
  readonly timeout: number;
  /** The maximum size of the output in bytes; git is killed if it prints more. */
  readonly maxBytes: number;
}

/**
 * Starts git; nothing else does. Git starts no program that a repository names (filters, hooks, fsmonitor, pagers, helpers),
 * never asks a server for an object, never prompts, and takes no lock that blocks the user's own commands. Neither the
 * environment nor the user's settings change the repository that it finds or the form of its output. Rejects if git could not
 * be started.
 */
export async function startGit(start: GitStart): Promise<ChildEnd> {
  if (start.folder === null || plainCommands.has(commandIn(start.args))) return run(start, []);
  const list = ['config', '-z', '--list', '--show-scope'];
  const listed = await run({ ...start, args: list, input: '' }, []);
  if (listed.code !== 0) return listed;
  const settings = settingsAgainst(listed.output).map(([key, value]) => `${key}=${value}`);
  return run(start, settings);
}

/** Like startGit(), for commands that never start a program that a repository names. Throws for any other command. */
export function startPlainGit(start: GitStart): Promise<ChildEnd> {
  if (!plainCommands.has(commandIn(start.args))) throw new Error(`git ${commandIn(start.args)} is not a plain command`);
  return run(start, []);
}

function run(
  { program, folder, args, input = '', timeout, maxBytes }: GitStart,
  more: readonly string[],
): Promise<ChildEnd> {
  const settings = [...Object.entries(quietSettings).map(([key, value]) => `${key}=${value}`), ...more];
  const options = [
    ...(folder === null ? [] : ['-C', resolve(folder)]),
    '--no-pager',
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
  // Git is not started in the repository, because Windows searches the current folder first for programs.
  const cwd = dirname(process.execPath);
  const child = spawn(program, [...options, ...args], { cwd, env: environment(), windowsHide: true, timeout });
  return childOutput(child, input, maxBytes);
}

/** The name of the command, after options such as `-c x=y`. */
function commandIn(args: readonly string[]): string {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '-c') at += 1;
    else if (!arg.startsWith('-')) return arg;
  }
  return '';
}

/** Variables that are kept: they set the author and committer, and do not affect which repository is used. */
const kept = new Set(['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL']);

/** The environment without git's own variables, which can name repositories, settings and programs. */
function environment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name) || kept.has(name.toUpperCase()));
  return {
    ...Object.fromEntries(others),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    // Older versions ignore GIT_NO_LAZY_FETCH. No protocol is named `-`, and no setting overrides this variable.
    GIT_ALLOW_PROTOCOL: '-',
  };
}
