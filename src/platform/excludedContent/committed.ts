import * as vscode from 'vscode';
import { type IgnoredPrefixes, withoutPrefix } from '../../gate/fingerprints/characters.ts';
import { type Lookups, once } from '../../gate/ignore/ignoreDisk.ts';
import { gitProgram } from '../git/api.ts';
import { committedWith } from '../git/listings.ts';
import { whyFileExcluded } from '../sources/ignored/exclusions.ts';
import { hasMostOf, linesNow } from './isCurrent.ts';

/** The lines of files, read once per request. */
export type FilesNow = Lookups;

/** The minimum length of a line that is searched for, because shorter lines are in many files. */
const minLine = 8;
const maxKnown = 500;
/** The time in milliseconds for which a text is treated as not found, and the time limit for git in that period. */
const notFoundMs = 10_000;
const maxAskedMs = 3_000;

/**
 * Finds out which texts are in a committed file that may be sent, so that they are not only from an excluded file. A copy that is
 * not committed is ignored, because a tool can create one. Caches the files in which a text was found, but not the text.
 */
export class Committed {
  /** The files that contained a text, by its hash. */
  readonly #known = new Map<string, readonly vscode.Uri[]>();
  #missing = new Set<string>();
  #missingSince = 0;
  #askedMs = 0;

  /** Also returns false if git does not answer in time. `key` identifies the text and `without` (see FoundPassage). */
  async has(text: string, key: string, files: FilesNow, ignoredPrefixes?: IgnoredPrefixes): Promise<boolean> {
    const known = this.#known.get(key) ?? [];
    if (await mayOneLeave(known, significantLines(text, ignoredPrefixes), files)) return true;
    const from = performance.now();
    if (from - this.#missingSince > notFoundMs) {
      this.#missing = new Set();
      this.#missingSince = from;
      this.#askedMs = 0;
    }
    if (this.#missing.has(key) || this.#askedMs > maxAskedMs) return false;
    const isThere = await this.#ask(text, key, files, ignoredPrefixes);
    this.#askedMs += performance.now() - from;
    if (!isThere) this.#missing.add(key);
    return isThere;
  }

  async #ask(
    text: string,
    key: string,
    files: FilesNow,
    ignoredPrefixes: IgnoredPrefixes | undefined,
  ): Promise<boolean> {
    const lines = significantLines(text, ignoredPrefixes);
    const program = await gitProgram();
    if (program === null || lines.length === 0) return false;
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
      if (uri.scheme !== 'file') continue;
      const found = await filesWith(program, uri, lines).catch(() => []);
      if (!(await mayOneLeave(found, lines, files))) continue;
      if (this.#known.size >= maxKnown) this.#known.clear();
      this.#known.set(key, found);
      return true;
    }
    return false;
  }
}

async function filesWith(
  program: string,
  folder: vscode.Uri,
  lines: readonly string[],
): Promise<readonly vscode.Uri[]> {
  const paths = await committedWith({ program, folder: folder.fsPath }, lines);
  return paths.slice(0, 20).map((path) => vscode.Uri.joinPath(folder, path));
}

/**
 * Whether one of the files may be sent and still contains the text: a file may have been moved to an excluded place since it
 * was found, and another file may have its name.
 */
async function mayOneLeave(found: readonly vscode.Uri[], text: readonly string[], files: FilesNow): Promise<boolean> {
  for (const uri of found) {
    if ((await whyFileExcluded(uri.toString())) !== null) continue;
    const lines = await once(files, uri.toString(), () => linesNow(uri));
    if (lines !== null && hasMostOf(text.join('\n'), lines)) return true;
  }
  return false;
}

function significantLines(text: string, ignoredPrefixes: IgnoredPrefixes | undefined): readonly string[] {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, index) =>
      (index === 0 || ignoredPrefixes === undefined ? line : withoutPrefix(line, ignoredPrefixes)).trim(),
    );
  return [...new Set(lines)].filter((line) => line.length >= minLine && !line.includes('\0'));
}
