import * as vscode from 'vscode';
import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import { ServiceError } from '../../util/errors.ts';
import { gitProgram } from '../git/api.ts';
import { type GitListing, listFiles } from '../git/listings.ts';
import type { GitPlace } from '../git/run.ts';

/** The files below a folder as git lists them; our own rules then decide about each file. */
export interface Candidates extends GitListing {
  /** Whether there may be a `.svcignore` for these files. */
  readonly mayBeListed: boolean;
}

/**
 * The time limit in milliseconds for git. Git compares each file with each pattern: with tens of thousands of both, it takes
 * minutes, while our own rules take a second.
 */
const patienceMs = 15_000;
/** The time in milliseconds for which a folder is searched without git after git took too long. */
const slowMs = 10 * 60_000;

/** Asks git for the files of folders, unless it was too slow before. */
export class GitCandidates {
  readonly #patienceMs: number;
  /** The time until which git is not asked again, by the path of the folder. */
  readonly #slow = new Map<string, number>();

  constructor(ms = patienceMs) {
    this.#patienceMs = ms;
  }

  /** Returns null if the folder is not in the work tree of a repository, if git is missing, or if it takes too long. */
  async in(root: vscode.Uri): Promise<Candidates | null> {
    if (root.scheme !== 'file' || performance.now() < (this.#slow.get(root.path) ?? 0)) return null;
    const program = await gitProgram();
    if (program === null) return null;
    const place = { program, folder: root.fsPath };
    try {
      return await listCandidates(root, place, this.#patienceMs);
    } catch (error) {
      if (isTimeout(error)) this.#slow.set(root.path, performance.now() + slowMs);
      return null;
    }
  }
}

async function listCandidates(root: vscode.Uri, place: GitPlace, ms: number): Promise<Candidates | null> {
  const listing = await listFiles(place, ms);
  if (listing === null) return null;
  const { tracked, untracked, ignored } = listing;
  const mayBeListed =
    (await hasList(tracked)) || (await hasList(untracked)) || (await hasList(ignored)) || (await hasListAbove(root));
  return { ...listing, mayBeListed };
}

/** Whether git took too long: it is then ended with a signal. */
function isTimeout(error: unknown): boolean {
  return error instanceof ServiceError && error.details?.git?.is === 'signal';
}

async function hasList(paths: readonly string[]): Promise<boolean> {
  for (const [at, path] of paths.entries()) {
    if (at % 1_000 === 0 && isPauseDue()) await pause();
    if (path.endsWith('.svcignore') && (path.length === 10 || path.at(-11) === '/')) return true;
  }
  return false;
}

/** Whether there may be a `.svcignore` that git ignores, or that is above the folder. */
async function hasListAbove(root: vscode.Uri): Promise<boolean> {
  for (let at = root; ; at = vscode.Uri.joinPath(at, '..')) {
    const file = vscode.Uri.joinPath(at, '.svcignore');
    const isThere = await vscode.workspace.fs.stat(file).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
    if (at.path === '/' || /^\/[a-z]:\/?$/i.test(at.path)) return false;
  }
}
