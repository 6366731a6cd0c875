import { homedir } from 'node:os';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { booleanIn, readConfigList, readGitConfig } from '../../../gate/ignore/gitConfig.ts';
import { type Lookups, once } from '../../../gate/ignore/ignoreDisk.ts';
import { startGit } from '../../../util/git/startGit.ts';
import type { Disk } from '../../files/disk.ts';
import { isBelow } from '../../files/links.ts';
import { gitProgramNow } from '../../git/api.ts';

/** The maximum size of git's output in bytes, which is more than any configuration has. */
const maxOutput = 16 * 1024 * 1024;

/** Git's configuration for a repository on this machine. */
export interface GitSettings {
  /**
   * The candidates for `core.excludesFile`: git's effective value, and the value that the user set for all repositories. The
   * rules of both apply, so a repository can add rules, but cannot remove any.
   */
  readonly excludesFiles: readonly string[];
  /** The value of `core.ignoreCase`; null if it is not set. */
  readonly ignoresCase: boolean | null;
  /** See GitReading; null if unknown. */
  readonly looksBack: boolean | null;
  /** The unmodified values that the repository sets for `core.worktree`. */
  readonly workTrees: readonly string[];
}

interface CachedSettings {
  readonly stamps: string;
  readonly from: readonly string[];
  readonly settings: GitSettings;
}

const cache = new Map<string, CachedSettings>();

/**
 * Returns the settings of the repository at `root`, and reads them again only if one of the configuration files has changed.
 * `gitDirs` are the git folders of the repository.
 */
export function gitSettings(
  disk: Disk,
  root: string,
  gitDirs: readonly string[],
  lookups: Lookups,
): Promise<GitSettings> {
  return once(lookups, `git settings ${root}`, async () => {
    const before = cache.get(root);
    if (before !== undefined && before.stamps === (await stampsOf(disk, root, before.from, lookups)))
      return before.settings;
    const usualFiles = [...globalFiles(), ...gitDirs.flatMap((dir) => [`${dir}/config`, `${dir}/config.worktree`])];
    const answer = await ask(root);
    const from = [...new Set([...usualFiles, ...(answer?.from ?? [])])];
    const settings = answer?.settings ?? (await read(disk, root, usualFiles));
    cache.set(root, { stamps: await stampsOf(disk, root, from, lookups), from, settings });
    return settings;
  });
}

async function stampsOf(disk: Disk, root: string, paths: readonly string[], lookups: Lookups): Promise<string> {
  // Folders above the repository are not listed.
  const stateOf = (path: string) => disk.stat(path, isBelow(root, path) ? lookups : undefined).catch(() => null);
  const states = await Promise.all(paths.map(stateOf));
  // A file that changed just now may change again with the same timestamps, so it is read again.
  const now = states.some((state) => state?.isSettled === false) ? performance.now() : 0;
  return [git(), now, ...states.map((state) => state?.stamp ?? '')].join('\n');
}

/**
 * Asks git with few processes, because starting a process blocks this one for milliseconds. Returns null if git is missing
 * or too old to answer.
 */
async function ask(root: string): Promise<{ readonly from: readonly string[]; readonly settings: GitSettings } | null> {
  const folder = vscode.Uri.file(root).fsPath;
  const config = (...args: string[]): Promise<string> => output(folder, ['config', '-z', ...args]);
  try {
    const [version, listed] = await Promise.all([
      output(null, ['version']),
      config('--list', '--show-origin', '--show-scope'),
    ]);
    const entries = readConfigList(listed);
    const ignoreCase = entries.findLast(({ key }) => key === 'core.ignorecase');
    const isSet = entries.some(({ key }) => key === 'core.excludesfile');
    const [excludes, ignoresCase] = await Promise.all([
      // Git itself resolves `~`.
      isSet ? config('--show-scope', '--path', '--get-all', 'core.excludesFile') : '',
      ignoreCase === undefined
        ? null
        : (booleanIn(ignoreCase.value) ?? (await config('--type=bool', '--get', 'core.ignoreCase')).startsWith('true')),
    ]);
    const fields = excludes.split('\0').slice(0, -1);
    const values = fields.flatMap((scope, index) =>
      index % 2 === 0 ? [{ scope, path: fields[index + 1] ?? '' }] : [],
    );
    const files = entries.map(({ origin }) => origin).filter((origin) => origin.startsWith('file:'));
    return {
      from: [...new Set(files.map((origin) => absolutePath(origin.slice('file:'.length), root)))],
      settings: {
        excludesFiles: chosen(values, root),
        ignoresCase,
        looksBack: isAtLeast(version, 2, 52),
        workTrees: entries.flatMap(({ scope, key, value }) =>
          key === 'core.worktree' && isOfRepository(scope) && value !== null ? [value] : [],
        ),
      },
    };
  } catch {
    return null;
  }
}

/** Returns the last value of all, and the last value that is not from the repository. */
function chosen(values: readonly { readonly scope: string; readonly path: string }[], root: string): readonly string[] {
  const byUser = values.filter(({ scope }) => !isOfRepository(scope));
  const paths = [values.at(-1)?.path ?? defaultExcludesFile(), byUser.at(-1)?.path ?? defaultExcludesFile()];
  return [...new Set(paths)].filter((path) => path !== '').map((path) => absolutePath(path, root));
}

function isOfRepository(scope: string): boolean {
  return scope === 'local' || scope === 'worktree';
}

async function output(folder: string | null, args: readonly string[]): Promise<string> {
  const start = { program: git(), folder, args, timeout: 10_000, maxBytes: maxOutput };
  const { output, code, reason } = await startGit(start);
  // Exit code 1 means that the value is not set.
  if (code !== 0 && code !== 1) throw new Error(reason ?? 'git failed');
  return code === 1 ? '' : output.toString();
}

/** Returns the git program that VS Code's git extension found, otherwise the one on the path. */
function git(): string {
  return gitProgramNow() ?? 'git';
}

function isAtLeast(version: string, major: number, minor: number): boolean | null {
  const [, first, second] = /(\d+)\.(\d+)/.exec(version) ?? [];
  if (first === undefined || second === undefined) return null;
  return Number(first) > major || (Number(first) === major && Number(second) >= minor);
}

/** Reads the configuration files in their usual places if git cannot be run. */
async function read(disk: Disk, root: string, from: readonly string[]): Promise<GitSettings> {
  const texts = await Promise.all(from.map((path) => disk.text(path)));
  const configs = texts.map((text) => readGitConfig(text ?? ''));
  const paths = configs.flatMap(({ excludesFiles }) => excludesFiles.slice(-1));
  return {
    excludesFiles: [...new Set(paths.length === 0 ? [defaultExcludesFile()] : paths)]
      .filter((path) => path !== '')
      .map((path) => absolutePath(path.replace(/^~(?=\/)/, home()), root)),
    ignoresCase: configs.findLast((config) => config.ignoresCase !== null)?.ignoresCase ?? null,
    looksBack: null,
    workTrees: configs.flatMap((config) => config.workTrees),
  };
}

function globalFiles(): readonly string[] {
  return [`${settingsFolder()}/config`, `${home()}/.gitconfig`];
}

/** Returns the default location of `core.excludesFile`. */
function defaultExcludesFile(): string {
  return `${settingsFolder()}/ignore`;
}

function settingsFolder(): string {
  const set = process.env.XDG_CONFIG_HOME;
  return set === undefined || set === '' ? `${home()}/.config/git` : `${vscode.Uri.file(set).path}/git`;
}

function home(): string {
  return vscode.Uri.file(process.env.HOME ?? homedir()).path;
}

/** Resolves a path against `root`, and returns it in the form of a URI path. */
function absolutePath(path: string, root: string): string {
  const isWhole = path.startsWith('/') || /^[a-zA-Z]:[\\/]/.test(path);
  return isWhole ? vscode.Uri.file(path).path : posix.join(root, path.replaceAll('\\', '/'));
}
