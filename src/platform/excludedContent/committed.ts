import * as vscode from 'vscode';
import { type IgnoredPrefixes, withoutPrefix } from '../../gate/fingerprints/characters.ts';
import { type Lookups, once } from '../../gate/ignore/ignoreDisk.ts';
import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import { gitProgram } from '../git/api.ts';
import { committedBytes, committedWith } from '../git/listings.ts';
import type { GitPlace } from '../git/run.ts';
import { whyFileExcluded } from '../sources/ignored/exclusions.ts';
import { areMostIn, linesOf, minLine, textNow } from './isCurrent.ts';
import { maxBytes } from './readExcluded.ts';

/** The lines of files, read once per request. */
export type FilesNow = Lookups;

const maxKnown = 500;
/** The number of files that are compared with a text. */
const maxFiles = 20;
const lineEnds = /\r\n|\r|\n/;
/** The time in milliseconds for which a text is treated as not found, and the time limit for git in that period. */
const notFoundMs = 10_000;
const maxAskedMs = 3_000;

/**
 * Finds out which texts are in a committed file that may be sent, so that they are not only from an excluded file. A copy that is
 * not committed is ignored, because a tool can create one. Caches the file in which a text was found, but not the text.
 */
export class Committed {
  /** The files that contained a text, by its hash. */
  readonly #known = new Map<string, vscode.Uri>();
  #missing = new Set<string>();
  #missingSince = 0;
  #askedMs = 0;

  /** Also returns false if git does not answer in time. `key` identifies the text and `without` (see FoundPassage). */
  async has(text: string, key: string, files: FilesNow, ignoredPrefixes?: IgnoredPrefixes): Promise<boolean> {
    const part = new Part(text, ignoredPrefixes);
    const known = this.#known.get(key);
    if (known !== undefined && (await mayLeave(known, part, files))) return true;
    const from = performance.now();
    if (from - this.#missingSince > notFoundMs) {
      this.#missing = new Set();
      this.#missingSince = from;
      this.#askedMs = 0;
    }
    if (this.#missing.has(key) || this.#askedMs > maxAskedMs) return false;
    const isThere = await this.#ask(part, key, files);
    this.#askedMs += performance.now() - from;
    if (!isThere) this.#missing.add(key);
    return isThere;
  }

  async #ask(part: Part, key: string, files: FilesNow): Promise<boolean> {
    const program = await gitProgram();
    if (program === null || part.searched.length === 0) return false;
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
      if (uri.scheme !== 'file') continue;
      const found = await fileWith({ program, folder: uri.fsPath }, uri, part, files).catch(() => null);
      if (found === null) continue;
      if (this.#known.size >= maxKnown) this.#known.clear();
      this.#known.set(key, found);
      return true;
    }
    return false;
  }
}

/** Returns a committed file that may be sent and has all lines of a part, or null. Git also finds parts of lines. */
async function fileWith(place: GitPlace, folder: vscode.Uri, part: Part, files: FilesNow): Promise<vscode.Uri | null> {
  const until = performance.now() + maxAskedMs;
  const paths = await committedWith(place, part.searched);
  for (const path of paths.slice(0, maxFiles)) {
    const uri = vscode.Uri.joinPath(folder, path);
    if (!(await mayLeave(uri, part, files))) continue;
    const ms = Math.floor(until - performance.now());
    if (ms <= 0) break;
    const bytes = await committedBytes(place, path, ms);
    if (bytes.length <= maxBytes && part.isAllIn(await part.linesOf(bytes.toString()))) return uri;
  }
  return null;
}

/**
 * Whether a file may be sent and still contains the text: it may have been moved to an excluded place since it was found, and
 * another file may have its name.
 */
async function mayLeave(uri: vscode.Uri, part: Part, files: FilesNow): Promise<boolean> {
  if ((await whyFileExcluded(uri.toString())) !== null) return false;
  const lines = await once(files, `${part.ignoredPrefixes ?? ''} ${uri.toString()}`, async () => {
    const text = await textNow(uri);
    return text === null ? null : part.linesOf(text);
  });
  return lines !== null && part.isMostlyIn(lines);
}

/** A part of a text that may be in a file. Its first and its last line may be cut. */
class Part {
  readonly ignoredPrefixes: IgnoredPrefixes | undefined;
  readonly #lines: readonly string[];

  constructor(text: string, ignoredPrefixes: IgnoredPrefixes | undefined) {
    this.ignoredPrefixes = ignoredPrefixes;
    const written = text
      .split(lineEnds)
      .map((line, index) =>
        index === 0 || ignoredPrefixes === undefined ? line : withoutPrefix(line, ignoredPrefixes),
      );
    this.#lines = linesOf(written.map((line) => this.#plain(line)).join('\n'));
  }

  /** The lines that git searches for: the long ones if there are any, because shorter lines are in many files. */
  get searched(): readonly string[] {
    const lines = [...new Set(this.#lines)].filter((line) => !line.includes('\0'));
    const long = lines.filter((line) => line.length >= minLine);
    return long.length === 0 ? lines : long;
  }

  /** The lines of a file, in the form in which they are compared. */
  async linesOf(text: string): Promise<ReadonlySet<string>> {
    const lines = new Set<string>();
    for (const line of linesOf(text)) {
      if (isPauseDue()) await pause();
      lines.add(this.#plain(line));
      // A line of the file may begin like a prefix.
      if (this.ignoredPrefixes === 'all') lines.add(this.#plain(withoutPrefix(line)));
    }
    return lines;
  }

  isAllIn(lines: ReadonlySet<string>): boolean {
    return [...new Set(this.#lines)].every((line) => lines.has(line) || this.#isCutFrom(lines, line));
  }

  isMostlyIn(lines: ReadonlySet<string>): boolean {
    return areMostIn([...new Set(this.#lines)], (line) => lines.has(line) || this.#isCutFrom(lines, line));
  }

  #isCutFrom(lines: ReadonlySet<string>, line: string): boolean {
    const [isFirst, isLast] = [line === this.#lines[0], line === this.#lines.at(-1)];
    if (!isFirst && !isLast) return false;
    for (const one of lines) {
      if (isFirst && isLast ? one.includes(line) : isFirst ? one.endsWith(line) : one.startsWith(line)) return true;
    }
    return false;
  }

  /** Returns a line without the punctuation at its start, which is removed together with a prefix. */
  #plain(line: string): string {
    return this.ignoredPrefixes === undefined ? line : line.replace(/^[!-/:-@[-`{-~\s]+/, '');
  }
}
