import { commitsBetween } from '../../../evidence/provenance/repository/commits.ts';
import { type NotedCommit, noteCommits, type OwnEdit } from '../../../evidence/provenance/repository/noteCommits.ts';
import { type Git, resolve } from '../../../evidence/provenance/repository/objects.ts';
import { type GitRepository, watchRepositories } from '../../../platform/git/api.ts';
import { namesOf } from '../../../platform/git/changes.ts';
import { listChanges } from '../../../platform/git/listChanges.ts';
import { type GitPlace, runGit } from '../../../platform/git/run.ts';
import { readLayers } from '../../../platform/settings/settingsReader.ts';
import { isSwitchedOn } from '../../../policy/switchedOn.ts';
import { Disposable } from '../../../util/disposable.ts';
import type { Logger } from '../../../util/logger.ts';
import { placeOf } from '../../context/vscode/git/diffs.ts';
import { repositoryFacts } from './repositoryFacts.ts';

/**
 * The maximum numbers of new commits that are read when HEAD has moved, and of commits that they replace. If there are more,
 * they were not made in this window, but fetched.
 */
const maxCommits = 100;
const maxReplaced = 200;

interface NoteKeeperParts {
  readonly ownEdits: () => Promise<readonly OwnEdit[]>;
  /** Removes edits whose lines are committed, because they need not be kept. */
  readonly forget: (edits: readonly string[]) => Promise<void>;
  /** Called when a note was written. */
  readonly onNoted: (place: GitPlace) => void;
  readonly logger: Pick<Logger, 'debug' | 'warn'>;
}

/**
 * Writes notes into repositories in which svc.provenance.notes is on. A note states which lines of a commit came from which
 * request. The repositories are checked whenever HEAD has moved: after a commit, an amend or a rebase.
 */
export class NoteKeeper extends Disposable {
  readonly #parts: NoteKeeperParts;
  /** The last known HEAD, by repository. */
  readonly #heads = new Map<string, string | null>();
  /** Resolves when the open repositories are watched. */
  readonly isWatching: Promise<void>;
  readonly #running = new Map<string, Promise<void>>();

  constructor(parts: NoteKeeperParts) {
    super();
    this.#parts = parts;
    this.isWatching = watchRepositories((program, repository) => this.#soon(program, repository)).then(
      (watching) => void this._register(watching),
    );
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #soon(program: string, repository: GitRepository): void {
    const { rootUri } = repository;
    if (rootUri.scheme !== 'file') return;
    const root = rootUri.toString();
    const previousRun = this.#running.get(root) ?? Promise.resolve();
    const running = previousRun
      .then(() => this.#look(root, placeOf(program, repository)))
      .catch(() => this.#parts.logger.warn('A note on accepted code could not be written.'));
    this.#running.set(root, running);
  }

  async #look(root: string, place: GitPlace): Promise<void> {
    const git: Git = (args, input) => runGit(place, args, input);
    const [head = null] = await resolve(git, ['HEAD']);
    const before = this.#heads.get(root);
    if (before === head) return;
    if (before === undefined || head === null || !areNotesEnabled(root)) {
      this.#heads.set(root, head);
      return;
    }
    const { isRewriting, hasGitAi, email } = await repositoryFacts(git);
    // During a rebase, the replaced commits are not known yet.
    if (isRewriting) return;
    this.#heads.set(root, head);
    if (hasGitAi) return;
    await this.#note(git, place, { from: before, to: head, email });
  }

  async #note(git: Git, place: GitPlace, { from, to, email }: HeadMove): Promise<void> {
    const commits = await commitsBetween(git, to, from, maxCommits);
    const replaced = from === null ? [] : await commitsBetween(git, from, to, maxReplaced);
    const own = await this.#parts.ownEdits();
    const noted = await noteCommits({
      git,
      // Commits of other people are noted on their machines.
      commits: commits.filter((commit) => commit.email === email),
      replaced: replaced.map(({ oid }) => oid).reverse(),
      own,
    });
    for (const { outcome } of noted) this.#parts.logger.debug(`Note on accepted code: ${outcome}.`);
    if (!noted.some(({ outcome }) => outcome === 'written')) return;
    await this.#forgetCommitted(place, noted, own);
    this.#parts.onNoted(place);
  }

  /**
   * Forgets committed edits. An edit is kept while its file has uncommitted changes, because more of its lines may be
   * committed.
   */
  async #forgetCommitted(place: GitPlace, noted: readonly NotedCommit[], own: readonly OwnEdit[]): Promise<void> {
    const changed = new Set((await listChanges(place, 'all')).flatMap(namesOf));
    const committed = noted.flatMap(({ edits }) => edits).filter(({ path }) => !changed.has(path));
    const names = new Set(committed.map(({ edit }) => edit));
    await this.#parts.forget(own.map(({ accepted }) => accepted.edit).filter((edit) => names.has(edit)));
  }
}

interface HeadMove {
  /** The previous HEAD; null if there was no commit. */
  readonly from: string | null;
  readonly to: string;
  /** The email address of the committer. */
  readonly email: string;
}

/**
 * Whether svc.provenance.notes is on for a repository (its URI). A workspace, a folder or a remote machine can turn it off,
 * but never on.
 */
function areNotesEnabled(root: string): boolean {
  const [user = [], ...inner] = readLayers([root]).map(({ values }) => [values['svc.provenance.notes']]);
  return isSwitchedOn({ user, inner });
}
