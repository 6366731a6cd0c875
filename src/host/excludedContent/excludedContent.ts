import * as vscode from 'vscode';
import { Fingerprints } from '../../gate/fingerprints/fingerprints.ts';
import { constants, isExample } from '../../gate/fingerprints/publicTexts.ts';
import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import type { Recognition, RecognitionState } from '../../session/dispatch/excludedContent.ts';
import { Disposable } from '../../util/disposable.ts';
import { delay, orAborted } from '../../util/orAborted.ts';
import { describeRecognition, type Known } from './describeRecognition.ts';
import { type ExcludedFiles, findExcludedFiles } from './excludedFiles.ts';
import { readExcluded, stateOf, type Unrecognized } from './readExcluded.ts';

/** How long a request waits for files to be found and read, in milliseconds. */
const patienceMs = 2_000;
/** A search that is as fast as this is repeated for each request; another one after this time, in milliseconds. */
const fastMs = 50;
const mostAgeMs = 10_000;

/** A file, as it was last read. */
interface KnownFile {
  /** Its number in the fingerprints: it stays for as long as the window is open. */
  readonly number: number;
  /** Absent if the next change may leave no trace in the file system's times. */
  readonly stamp?: string;
  readonly state: 'recognized' | 'gone' | Unrecognized;
}

/**
 * Recognizes the content of excluded files in requests. The first request starts it. What was once in an excluded file
 * counts until the window closes: a file that is renamed, changed or deleted does not open what it held.
 */
export class ExcludedContent extends Disposable {
  readonly #fingerprints = new Fingerprints();
  readonly #known = new Map<string, KnownFile>();
  readonly #names: string[] = [''];
  #found: ExcludedFiles | null = null;
  /** Something was created, removed or moved since the last search. */
  #isOutdated = true;
  #searchMs = 0;
  #searchedAt = 0;
  #updating: { readonly work: Promise<void>; readonly until: number } | null = null;
  #isWatching = false;

  /** What is known after a limited time; with `isCompleteRequired`, after everything was read. */
  async recognition(isCompleteRequired: boolean, signal?: AbortSignal): Promise<Recognition> {
    this.#updating ??= this.#begin();
    const { work, until } = this.#updating;
    const end = new AbortController();
    const ends = signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]);
    const wait = delay(Math.max(0, until - performance.now()), ends).catch(() => undefined);
    await (isCompleteRequired ? orAborted(work, ends) : Promise.race([work, wait]));
    end.abort();
    const fingerprints = this.#fingerprints;
    return {
      state: this.#state(),
      nameOf: (file) => this.#names[file] ?? '',
      async find(text, only, signal) {
        const finding = fingerprints.find(text, only);
        for (;;) {
          const step = finding.next();
          if (step.done === true) return step.value;
          if (isPauseDue()) await pause(signal);
        }
      },
    };
  }

  #begin() {
    const work = this.#update().finally(() => {
      this.#updating = null;
    });
    // Without its files, a request may still be sent: its record says how many of them are recognized.
    return { work: work.catch(() => undefined), until: performance.now() + patienceMs };
  }

  async #update(): Promise<void> {
    this.#watch();
    const from = performance.now();
    if (this.#isOutdated || this.#searchMs < fastMs || from - this.#searchedAt > mostAgeMs) {
      // A change meanwhile makes it outdated again.
      this.#isOutdated = false;
      this.#found = await findExcludedFiles();
      this.#searchedAt = performance.now();
      this.#searchMs = this.#searchedAt - from;
    }
    if (this.#known.size === 0) {
      for (const text of constants) await run(this.#fingerprints.addPublic(text, 'constant'));
    }
    const files = [...(this.#found?.credentials.values() ?? [])];
    await this.#addExamples(files);
    for (const uri of files) await this.#look(uri);
  }

  /** `.env.example` and its like, beside the files that they are examples of. */
  async #addExamples(files: readonly vscode.Uri[]): Promise<void> {
    const folders = new Map(files.map((uri) => [vscode.Uri.joinPath(uri, '..').toString(), uri]));
    for (const [folder, uri] of folders) {
      if (this.#folders.has(folder)) continue;
      this.#folders.add(folder);
      const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(uri, '..')).then(undefined, () => []);
      for (const [name] of entries.filter(([name]) => isExample(name))) {
        const read = await readExcluded(vscode.Uri.joinPath(uri, '..', name));
        if (typeof read === 'object') await run(this.#fingerprints.addPublic(read.text));
      }
    }
  }

  readonly #folders = new Set<string>();

  async #look(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const before = this.#known.get(key);
    const now = await stateOf(uri);
    if (before?.stamp !== undefined && before.stamp === now?.stamp) return;
    const number = before?.number ?? this.#names.push(vscode.workspace.asRelativePath(uri)) - 1;
    const read = now === null ? 'gone' : await readExcluded(uri);
    const isAdded =
      typeof read === 'object' &&
      (await run(this.#fingerprints.add({ file: number, text: read.text, isCredential: true })));
    const state = typeof read === 'string' ? read : isAdded ? 'recognized' : 'noRoom';
    this.#known.set(key, { number, state, ...(now?.isSettled ? { stamp: now.stamp } : {}) });
  }

  #state(): RecognitionState {
    const missing: { -readonly [K in keyof Known['missing']]: number } = {};
    let [files, recognized] = [0, 0];
    for (const key of this.#found?.credentials.keys() ?? []) {
      const state = this.#known.get(key)?.state ?? 'unread';
      if (state === 'gone') continue;
      files += 1;
      if (state === 'recognized') recognized += 1;
      else missing[state] = (missing[state] ?? 0) + 1;
    }
    const isPartial = this.#found === null || this.#found.isPartial;
    const is = recognized === files && !isPartial ? 'complete' : recognized === 0 ? 'none' : 'partly';
    return { is, files, recognized, words: describeRecognition({ files, recognized, missing, isPartial }) };
  }

  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const outdate = (uri?: vscode.Uri): void => {
      // A folder that is moved is one event, whatever is in it.
      if (uri === undefined || !/\/(?:node_modules|\.git)\//.test(uri.path)) this.#isOutdated = true;
    };
    const watcher = this._register(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    this._register(watcher.onDidCreate(outdate));
    this._register(watcher.onDidDelete(outdate));
    this._register(vscode.workspace.onDidChangeWorkspaceFolders(() => outdate()));
    this._register(vscode.workspace.onDidRenameFiles(() => outdate()));
  }
}

async function run<T>(work: Generator<null, T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (isPauseDue()) await pause();
  }
}
