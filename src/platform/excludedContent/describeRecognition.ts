import * as vscode from 'vscode';
import { describeNumber } from '../messages/describeNumber.ts';
import type { Unsearched } from './excludedFiles.ts';
import type { Unrecognized } from './readExcluded.ts';

const t = vscode.l10n.t;

/** The numbers of excluded files, by how far they are recognized. */
export interface Known {
  readonly files: number;
  readonly recognized: number;
  /** The number of recognized files that are not recognized in base64. */
  readonly notEncoded: number;
  readonly missing: Readonly<Partial<Record<Unrecognized | 'unread' | 'overLimit', number>>>;
  /** Whether all folders were searched. If not, there may be more files. */
  readonly isSearched: boolean;
  readonly unsearched: readonly Unsearched[];
  /** The folders in which not all files were read. */
  readonly overLimit: readonly string[];
  /** The number of ignored files that are not counted: those in folders of built or installed files, and binary ones. */
  readonly built: number;
  readonly textless: number;
  /** The number of files with too little text to be recognized, and without a secret: these are not counted either. */
  readonly tooShort: number;
}

/** The maximum number of files or folders that are named. */
export const maxNamed = 5;

/**
 * Returns a text such as `48 of 53 excluded files are recognized by their content; not recognized: 2 binary, 3 over 1 MiB`, with the
 * folders that were not completely searched, and the files that were not read because they are not counted. Returns '' if
 * there are no excluded files.
 */
export function describeRecognition(known: Known): string {
  const { files, recognized, notEncoded, missing, isSearched, unsearched, overLimit, built, textless, tooShort } =
    known;
  const notCounted = [
    reason(built, (n) => t('{0} in folders of what was built or installed', n)),
    reason(textless, (n) => t('{0} binary', n)),
  ].filter((words) => words !== '');
  const missed = [
    reason(missing.binary, (n) => t('{0} binary', n)),
    reason(missing.tooLarge, (n) => t('{0} over 1 MiB', n)),
    reason(missing.undecodable, (n) => t('{0} in an unknown encoding', n)),
    reason(missing.unreadable, (n) => t('{0} unreadable', n)),
    reason(missing.noRoom, (n) => t('{0} for lack of memory', n)),
    reason(missing.overLimit, (n) => t('{0} in folders of over 2,000 files or 8 MiB ({1})', n, firstNames(overLimit))),
    reason(missing.notFound, (n) => t('{0} with too little text', n)),
    reason(missing.unread, (n) => t('{0} not read yet', n)),
  ].filter((words) => words !== '');
  const partlySearched = [
    foldersOf(unsearched, 'tooLarge', (names) => t('{0} (too large)', names)),
    foldersOf(unsearched, 'unreadable', (names) => t('{0} (cannot be read)', names)),
  ].filter((words) => words !== '');
  const isAllKnown = missed.length === 0 && notCounted.length === 0 && tooShort === 0;
  if (files === 0 && isAllKnown && partlySearched.length === 0 && isSearched) return '';
  const count = t(
    '{0} of {1} excluded files are recognized by their content',
    describeNumber(recognized),
    describeNumber(files),
  );
  const forms = reason(notEncoded, (n) => t('{0}, {1} of them not in base64', count, n)) || count;
  let words = missed.length === 0 ? forms : t('{0}; not recognized: {1}', forms, missed.join(', '));
  if (partlySearched.length > 0) words = t('{0}; only partly searched: {1}', words, partlySearched.join(', '));
  if (!isSearched) words = t('{0}; not all folders were searched', words);
  words = reason(tooShort, (n) => t('{0}; not counted: {1} with too little text and no secret', words, n)) || words;
  return notCounted.length === 0
    ? words
    : t('{0}; also ignored by git, and not read: {1}', words, notCounted.join(', '));
}

function reason(count: number | undefined, words: (count: string) => string): string {
  return count === undefined || count === 0 ? '' : words(describeNumber(count));
}

function foldersOf(all: readonly Unsearched[], why: Unsearched['why'], words: (names: string) => string): string {
  const folders = all.filter((one) => one.why === why).map(({ folder }) => folder);
  return folders.length === 0 ? '' : words(firstNames(folders));
}

/** Returns up to `maxNamed` names as text, with … if there are more. */
export function firstNames(all: readonly string[]): string {
  const names = all.slice(0, maxNamed).join(', ');
  return all.length > maxNamed ? `${names}, …` : names;
}
