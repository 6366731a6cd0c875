import { posix } from 'node:path';
import * as vscode from 'vscode';
import { Fingerprints } from '../../gate/fingerprints/fingerprints.ts';
import type { FoundPassage } from '../../gate/fingerprints/passages.ts';
import type { FileState, Lookups } from '../../gate/ignore/ignoreDisk.ts';
import { inSlices, isPauseDue, pause } from '../../gate/secrets/pace.ts';
import type { Recognition, RecognitionState, RecognitionWanted } from '../../send/excludedContent.ts';
import type { Attachment } from '../../send/message/attachment.ts';
import { Disposable } from '../../util/disposable.ts';
import { delay, orAborted } from '../../util/orAborted.ts';
import { sha256Hex } from '../../util/sha256.ts';
import { whyFileExcluded } from '../sources/ignored/exclusions.ts';
import { Committed, type FilesNow } from './committed.ts';
import { maxNamed } from './describeRecognition.ts';
import { type ExcludedFile, type ExcludedFiles, findExcludedFiles, SearchMemory } from './excludedFiles.ts';
import { goneFrom, isCurrent } from './isCurrent.ts';
import { PublicTexts } from './publicTexts.ts';
import { expectedReadings, maxBytes, readExcluded, stateOf, statesOf } from './readExcluded.ts';
import {
  amongReadings,
  countOf,
  isToMove,
  type FileState as ReadState,
  recognitionStateOf,
} from './recognitionState.ts';
import { Room } from './room.ts';
import { excludedBehind, unsavedTexts } from './unsavedTexts.ts';

/** The time in milliseconds that a request waits for files to be found and read. */
const patienceMs = 2_000;
/** The duration in milliseconds below which a search is repeated for each request. */
const fastMs = 50;
/** The time in milliseconds for which the result of a slower search is used if the rules stay the same. */
const maxAgeMs = 10_000;
/** The minimum time in milliseconds between two checks of the files while the user types. */
const recentMs = 5_000;

/** The state of a file at its last read. */
interface KnownFile {
  /** The number of the file in the fingerprints, which stays the same while the window is open. */
  readonly number: number;
  /**
   * The times and size of the file. Missing if the file was just changed, because its next change might not change the file
   * system's times.
   */
  readonly stamp?: string;
  /** The hash of the text that was added; only if there is no stamp. */
  readonly hash?: string;
  readonly isCredential: boolean;
  readonly state: ReadState;
}

interface LookContext {
  readonly now: FileState | null | undefined;
  readonly lookups: Lookups;
  readonly room: Room;
}

/**
 * Recognizes the content of excluded files in requests. The first request starts it. Content that was once in an excluded
 * file is recognized until the window closes, even after the file is renamed, changed or deleted.
 */
export class ExcludedContent extends Disposable {
  readonly #fingerprints: Fingerprints;
  readonly #committed = new Committed();
  readonly #known = new Map<string, KnownFile>();
  readonly #names: string[] = [''];
  /** The number and the version of the added text, for each file with unsaved text. */
  readonly #unsaved = new Map<string, string>();
  /** The numbers of files whose text may also be in a file that may be sent. */
  readonly #sources = new Set<number>();
  readonly #public: PublicTexts;
  /** The names of attached files that no longer exist in their places. */
  readonly #moved = new Set<string>();
  readonly #memory: SearchMemory;
  readonly #refused = new RefusedFiles();
  /** The number of decodings of each file that was read, or is to be read. */
  readonly #readings = new Map<string, number>();
  /** The total size in bytes of the decodings of all files without credentials. */
  #expected = 0;
  #found: ExcludedFiles | null = null;
  /** The folders that exceed the limits per folder. */
  #overLimit: readonly string[] = [];
  /** Whether a file or folder was created, removed or moved since the last search. */
  #isOutdated = true;
  /** Whether the last update failed, so that the fingerprints may be outdated. */
  #hasFailed = false;
  #searchMs = 0;
  #updatedAt = Number.NEGATIVE_INFINITY;
  #searchedAt = 0;
  #updating: { readonly work: Promise<void>; readonly until: number } | null = null;
  #isWatching = false;

  /** Tests set smaller limits: see Fingerprints for `mostSlots`, and SearchMemory for `gitMs`. */
  constructor({ mostSlots, gitMs }: { readonly mostSlots?: number; readonly gitMs?: number } = {}) {
    super();
    this.#fingerprints = new Fingerprints(mostSlots);
    this.#memory = new SearchMemory(gitMs);
    this.#public = new PublicTexts(this.#fingerprints);
  }

  /** Waits for a limited time, or, with `isCompleteRequired`, until everything was read. */
  async recognition(wanted: RecognitionWanted, signal?: AbortSignal): Promise<Recognition> {
    const { isCompleteRequired, isQuick, excluded } = wanted;
    if (this.#refused.haveNew(excluded, this.#found?.files)) this.#isOutdated = true;
    const isRecent = performance.now() - this.#updatedAt < recentMs;
    if (isCompleteRequired || !(isQuick && isRecent)) await this.#updated(isCompleteRequired, signal);
    const files: FilesNow = new Map();
    return {
      state: await this.#state(),
      nameOf: (file) => this.#names[file] ?? '',
      find: (text, only, signal) => this.#find(text, files, only, signal),
      isCurrent,
      isReadAfterMove: (attachment) => this.#isReadAfterMove(attachment, signal),
    };
  }

  async #updated(isCompleteRequired: boolean, signal?: AbortSignal): Promise<void> {
    this.#updating ??= this.#begin();
    const { work, until } = this.#updating;
    const end = new AbortController();
    const ends = signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]);
    const wait = delay(Math.max(0, until - performance.now()), ends).catch(() => undefined);
    await (isCompleteRequired ? orAborted(work, ends) : Promise.race([work, wait]));
    end.abort();
  }

  /**
   * Searches again for the files of an attachment, because a file may have been moved to a folder of built files, where
   * files are examined only by name. Returns whether it searched.
   */
  async #isReadAfterMove(attachment: Attachment, signal?: AbortSignal): Promise<boolean> {
    const missing = await goneFrom(attachment);
    // Another file may have the name of the attached file.
    const moved =
      missing.length > 0 || (await isCurrent(attachment)) ? missing : [vscode.Uri.parse(attachment.uri, true)];
    const names = moved.map(({ path }) => posix.basename(path));
    const newNames = names.filter((name) => !this.#moved.has(name));
    if (newNames.length === 0) return false;
    for (const name of newNames) this.#moved.add(name);
    // An update that is already running does not know the new names.
    await this.#updating?.work;
    this.#isOutdated = true;
    await this.#updated(true, signal);
    return true;
  }

  async #find(text: string, files: FilesNow, only?: 'values', signal?: AbortSignal): Promise<readonly FoundPassage[]> {
    const found: FoundPassage[] = [];
    for (const passage of await inSlices(this.#fingerprints.find(text, only), signal)) {
      if (isPauseDue()) await pause(signal);
      if (!(await this.#isPublic(text, passage, files))) found.push(passage);
    }
    return found;
  }

  /** Whether a passage of an excluded source file is also in a committed file that may be sent. */
  async #isPublic(
    text: string,
    { start, end, file, kind, ignoredPrefixes }: FoundPassage,
    files: FilesNow,
  ): Promise<boolean> {
    if (!this.#sources.has(file) || kind === 'encoded') return false;
    const part = text.slice(start, end);
    return this.#committed.has(part, sha256Hex(`${ignoredPrefixes ?? ''} ${part}`), files, ignoredPrefixes);
  }

  #begin() {
    // A request may be sent even if the files could not be read: its record contains how many of them are recognized.
    const ended = (hasFailed: boolean): void => {
      this.#hasFailed = hasFailed;
      if (hasFailed) this.#isOutdated = true;
      this.#updating = null;
    };
    const work = this.#update().then(
      () => ended(false),
      () => ended(true),
    );
    return { work, until: performance.now() + patienceMs };
  }

  async #update(): Promise<void> {
    this.#watch();
    const from = performance.now();
    const needsSearch = this.#isOutdated || this.#searchMs < fastMs || from - this.#searchedAt > maxAgeMs;
    if (needsSearch || (await this.#memory.names.haveRulesChanged())) {
      // A change during the update makes it outdated again.
      this.#isOutdated = false;
      this.#found = await findExcludedFiles(this.#memory, this.#moved);
      this.#searchedAt = performance.now();
      this.#searchMs = this.#searchedAt - from;
    }
    const files = this.#found?.files ?? new Map<string, ExcludedFile>();
    await this.#forgetAllowed(files);
    await this.#public.add(files.values());
    const lookups: Lookups = new Map();
    const states = await statesOf(files, lookups);
    await this.#expect(files, states, lookups);
    const room = new Room();
    for (const [key, file] of files) {
      if (isPauseDue()) await pause();
      await this.#look(key, file, { now: states.get(key), lookups, room });
    }
    await this.#addUnsaved();
    this.#overLimit = room.full;
    this.#updatedAt = performance.now();
  }

  async #expect(
    files: ReadonlyMap<string, ExcludedFile>,
    states: ReadonlyMap<string, FileState | null | undefined>,
    lookups: Lookups,
  ): Promise<void> {
    const room = new Room();
    this.#expected = 0;
    for (const [key, { uri, kind, below }] of files) {
      if (isPauseDue()) await pause();
      const bytes = states.get(key)?.bytes ?? 0;
      if (kind === 'credentials' || bytes > maxBytes || !room.has(below)) continue;
      const before = this.#readings.get(key);
      // Small files do not matter for the expected size.
      const readings = before ?? (bytes > 64 * 1024 ? await expectedReadings(uri, lookups) : 1);
      this.#readings.set(key, readings);
      if (readings === 0) continue;
      room.take(below, bytes);
      this.#expected += bytes * readings;
    }
    this.#fingerprints.expect(this.#expected);
  }

  /** Forgets files that no rule excludes any longer, because they may be sent. Files that no longer exist stay recognized. */
  async #forgetAllowed(files: ReadonlyMap<string, ExcludedFile>): Promise<void> {
    const forgotten = new Map<string, number>();
    const lookups: Lookups = new Map();
    for (const [key, known] of this.#known) {
      if (isPauseDue()) await pause();
      if (files.has(key) || known.state === 'gone' || known.isCredential) continue;
      const uri = vscode.Uri.parse(key, true);
      if ((await stateOf(uri)) === null || (await whyFileExcluded(key, lookups)) !== null) continue;
      forgotten.set(key, known.number);
    }
    if (forgotten.size === 0) return;
    await inSlices(this.#fingerprints.remove(new Set(forgotten.values())));
    for (const key of forgotten.keys()) this.#known.delete(key);
    // Text that several files share is stored for only one of them, so all other files are added again.
    for (const [key, { stamp: _, hash: __, ...known }] of this.#known) {
      if (isPauseDue()) await pause();
      this.#known.set(key, known);
    }
  }

  async #look(key: string, { uri, kind, below }: ExcludedFile, { now, lookups, room }: LookContext): Promise<void> {
    const before = this.#known.get(key);
    const isCredential = kind === 'credentials';
    const hasSameKind = before?.isCredential === isCredential;
    if (before?.stamp === undefined || before.stamp !== now?.stamp || !hasSameKind) {
      const number = before?.number ?? this.#names.push(vscode.workspace.asRelativePath(uri)) - 1;
      const { state, hash } =
        now === null
          ? { state: isNameable(key) ? ('gone' as const) : ('unreadable' as const) }
          : room.has(below)
            ? await this.#read(key, uri, kind, { number, lookups, before: hasSameKind ? before : undefined })
            : { state: 'overLimit' as const };
      const isStamped = now?.isSettled === true && state !== 'overLimit';
      const same = isStamped ? { stamp: now.stamp } : hash === undefined ? {} : { hash };
      this.#known.set(key, { number, isCredential, state, ...same });
      if (!isCredential) this.#sources.add(number);
    }
    const state = this.#known.get(key)?.state;
    if (state === 'overLimit') room.refuse(below);
    else if (state !== 'gone' && state !== 'textless') room.take(below, now?.bytes ?? 0);
  }

  /** Reads a file and adds its text, unless the text is the same as in `before`. */
  async #read(
    key: string,
    uri: vscode.Uri,
    kind: ExcludedFile['kind'],
    {
      number,
      lookups,
      before,
    }: { readonly number: number; readonly lookups: Lookups; readonly before: KnownFile | undefined },
  ): Promise<{ readonly state: ReadState; readonly hash?: string }> {
    const isCredential = kind === 'credentials';
    const read = await readExcluded(uri, maxBytes, lookups);
    const texts = typeof read === 'string' ? [] : read.texts;
    const more = texts.length - (this.#readings.get(key) ?? 1);
    this.#readings.set(key, texts.length);
    if (more > 0 && !isCredential) this.#expected += more * (texts[0] ?? '').length;
    this.#fingerprints.expect(this.#expected);
    if (read === 'binary' && kind === 'ignored') return { state: 'textless' };
    if (typeof read === 'string') return { state: read };
    let hash = '';
    for (const text of texts) {
      if (isPauseDue()) await pause();
      hash = sha256Hex(`${hash}${text}`);
    }
    if (before?.hash === hash) return { state: before.state, hash };
    const states: ReadState[] = [];
    const add = (text: string) => inSlices(this.#fingerprints.add({ file: number, text, isCredential }));
    for (const text of texts) states.push(await add(text));
    return { state: amongReadings(states, read.areAllNeeded), hash };
  }

  async #addUnsaved(): Promise<void> {
    const lookups: Lookups = new Map();
    for (const { uri, version, text } of unsavedTexts()) {
      if (isPauseDue()) await pause();
      const known = await this.#knownFor(uri, lookups);
      const stamp = `${known?.number} ${version}`;
      if (known === null || this.#unsaved.get(uri.toString()) === stamp) continue;
      const { number, isCredential } = known;
      await inSlices(this.#fingerprints.add({ file: number, text, isCredential }));
      this.#unsaved.set(uri.toString(), stamp);
    }
  }

  /** The excluded file that a document shows, or null. A file that was never saved becomes known as one that is not on the disk. */
  async #knownFor(document: vscode.Uri, lookups: Lookups): Promise<KnownFile | null> {
    const before = this.#known.get(document.toString());
    if (before !== undefined) return before;
    const shown = await excludedBehind(document, lookups);
    if (shown === null) return null;
    const { uri, isCredential } = shown;
    const known = this.#known.get(uri.toString());
    if (known !== undefined) return known;
    const number = this.#names.push(vscode.workspace.asRelativePath(uri)) - 1;
    const added: KnownFile = { number, isCredential, state: 'gone' };
    this.#known.set(uri.toString(), added);
    if (!isCredential) this.#sources.add(number);
    return added;
  }

  async #state(): Promise<RecognitionState> {
    const { files, unsearched = [], built = 0 } = this.#found ?? {};
    const isSearched = this.#found !== null && !this.#hasFailed;
    const about = { isSearched, unsearched, built, overLimit: this.#overLimit };
    const toMove: string[] = [];
    const counts = await countOf(files?.keys() ?? [], (key) => {
      const { state, number = 0 } = this.#known.get(key) ?? {};
      if (state === undefined) return 'unread';
      if (toMove.length <= maxNamed && isToMove(state)) toMove.push(this.#names[number] ?? '');
      return state;
    });
    return recognitionStateOf(counts, about, toMove);
  }

  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const outdate = (uri?: vscode.Uri): void => {
      // Moving a folder causes only one event, for the folder.
      if (uri === undefined || !/\/(?:node_modules|\.git)\//.test(uri.path)) this.#isOutdated = true;
    };
    const watcher = this._register(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    for (const event of [watcher.onDidCreate, watcher.onDidDelete]) this._register(event(outdate));
    this._register(vscode.workspace.onDidChangeWorkspaceFolders(() => outdate()));
    this._register(vscode.workspace.onDidRenameFiles(() => outdate()));
  }
}

/** Whether a file can be opened by its name: a name that is not valid UTF-8 contains U+FFFD, and does not lead to the file. */
function isNameable(key: string): boolean {
  return !vscode.Uri.parse(key, true).path.includes('\ufffd');
}

/** The files of the conversation that may not be sent. If the last search has not found one of them, a new rule excludes it. */
export class RefusedFiles {
  #last: ReadonlySet<string> = new Set();

  /**
   * Whether the files of a request include one that neither the previous request nor the last search (`found`, by URI)
   * contained.
   */
  haveNew(uris: readonly string[], found: ReadonlyMap<string, unknown> | undefined): boolean {
    const before = this.#last;
    this.#last = new Set(uris);
    return uris.some((uri) => !before.has(uri) && found?.has(uri) !== true);
  }
}
