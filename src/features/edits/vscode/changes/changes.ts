import * as vscode from 'vscode';
import { Refusal, replyWords } from '../../../../platform/pages/callError.ts';
import type { RequestContextReader } from '../../../../platform/settings/requestContextReader.ts';
import { proposalScheme } from '../../../../platform/sources/ownDocuments.ts';
import type { ChangeDecision, ChangesView, ShownChanges } from '../../../../protocol/changesView.ts';
import type { Session } from '../../../../session/session.ts';
import { Disposable } from '../../../../util/disposable.ts';
import { Emitter } from '../../../../util/event.ts';
import { canCarryOver, type FileChange, isOpen } from '../../common/changeSet.ts';
import { codeForFiles } from '../codeForFiles.ts';
import type { Proposals } from '../proposals.ts';
import { type Target, wholeTarget } from '../target.ts';
import type { Acceptance } from './acceptance.ts';
import { viewChanges } from './changesView.ts';
import { ConversationChanges } from './conversationChanges.ts';
import { decisionsSource } from './decisions.ts';
import { endedChanges } from './endedChanges.ts';
import { fileOfChange } from './fileToChange.ts';
import { languageOf } from './languageOf.ts';
import type { Decisions, PanelChanges } from './panelChanges.ts';
import { proposeAll } from './proposeAll.ts';
import { ProposedChanges } from './proposedChanges.ts';
import { splitChanges } from './splitChanges.ts';
import type { ChangeAct } from './writableChanges.ts';

const t = vscode.l10n.t;

/** The number of conversations whose changes are kept. */
const maxConversations = 20;

interface ChangesParts {
  readonly session: Pick<Session, 'conversation' | 'isBusy' | 'onDidChange'>;
  readonly proposals: Pick<Proposals, 'open' | 'refresh'>;
  readonly acceptance: Acceptance;
  readonly policy: Pick<RequestContextReader, 'requireFeature' | 'requiresReview' | 'onDidChange'>;
}

/**
 * The changes that the model has proposed in the conversations of this window. Only the user's decisions write: a whole change
 * from the panel, or hunks of it from its diff. Proposals are in memory only.
 */
export class Changes extends Disposable implements PanelChanges {
  readonly #parts: ChangesParts;
  readonly #changed = this._register(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #conversations = new Map<string, ConversationChanges>();

  constructor(parts: ChangesParts) {
    super();
    this.#parts = parts;
    const isShown = new Set(['busy-changed', 'conversation-changed']);
    this._register(parts.session.onDidChange(({ type }) => isShown.has(type) && this.#changed.fire()));
    this._register(parts.policy.onDidChange(() => this.#changed.fire()));
  }

  async proposeAll(turnId: string, ask: (question: string) => unknown): Promise<void> {
    const { id, turns } = this.#parts.session.conversation;
    const code = await codeForFiles(turns, turnId, ask);
    if (code !== null) await proposeAll(this.proposedIn(id), code, ask);
  }

  /** Returns the files of a conversation with the changes that are proposed for them. */
  proposedIn(conversationId: string): ProposedChanges {
    const changes = this.#of(conversationId);
    return new ProposedChanges({
      changes,
      isAttached: (file) => this.#isAttached(conversationId, file),
      source: () => {
        const { id, turns } = this.#parts.session.conversation;
        const request = id === conversationId ? turns.at(-1)?.lastRequest : undefined;
        const { auditRequestId, model } = request ?? {};
        return {
          ...(auditRequestId === undefined ? {} : { request: auditRequestId }),
          ...(model === undefined ? {} : { model }),
        };
      },
      onDidPropose: (draft) => {
        if (draft !== undefined) void this.#parts.proposals.refresh(draft, false);
        this.#changed.fire();
      },
    });
  }

  #isAttached(conversationId: string, file: vscode.Uri): boolean {
    const { id, turns } = this.#parts.session.conversation;
    const uri = file.toString();
    return id === conversationId && turns.some(({ question }) => question.attachments.some((one) => one.uri === uri));
  }

  view(): ChangesView | undefined {
    const { conversation } = this.#parts.session;
    const changes = this.#conversations.get(conversation.id);
    if (changes === undefined) return endedChanges(conversation);
    return changes.isHidden
      ? undefined
      : viewChanges(changes, {
          canDecide: !this.#parts.session.isBusy,
          requiresReview: this.#parts.policy.requiresReview,
          last: this.#parts.acceptance.lastOf(changes),
        });
  }

  async open(id: string): Promise<void> {
    const changes = this.#current();
    const change = changes.withId(id);
    if (change !== undefined) await this.#open(changes, change);
  }

  async #open(changes: ConversationChanges, change: FileChange): Promise<void> {
    if (!isOpen(change)) return openFile(changes.isWritten(change) ? change.to : change.from);
    await this.#show(changes, change);
    changes.noteShown(change);
    this.#changed.fire();
  }

  async #show(changes: ConversationChanges, change: FileChange): Promise<void> {
    const { from, to, draft } = change;
    if (to === null) return openDeletion(from ?? '');
    if (from !== null && draft.isUnchanged) return openFile(from);
    await this.#parts.proposals.open(await targetOf(changes, change), { changes, change });
  }

  decide(id: string, version: number, decision: ChangeDecision): Promise<void> {
    const changes = this.#current();
    return this.#decide(changes, decision, () => [changes.openAsShown(id, version) ?? []].flat());
  }

  decideAll(decision: ChangeDecision, shown?: ShownChanges): Promise<void> {
    const changes = this.#current();
    return this.#decide(changes, decision, () => {
      if (shown !== undefined && changes.open.length > 0) changes.requireShown(shown);
      return changes.open;
    });
  }

  #decide(changes: ConversationChanges, decision: ChangeDecision, choose: () => readonly FileChange[]): Promise<void> {
    const { acceptance, proposals } = this.#parts;
    return this.#next(changes, decision, async () => {
      const open = choose();
      if (open.length === 0) return;
      if (decision === 'reject') {
        await acceptance.reject(changes, open);
        for (const { draft } of open) await proposals.refresh(draft, true);
        return;
      }
      const why = changes.whyNot('accept', open);
      if (why !== null) throw new Refusal(why);
      const { ready, stale, toReview, failures } = await splitChanges(changes, open);
      const stopped = ready.length === 0 ? '' : await acceptance.write(changes, ready);
      for (const { change } of ready) await proposals.refresh(change.draft, change.state === 'accepted');
      const [first] = toReview;
      if (first !== undefined) await this.#open(changes, first);
      this.#changed.fire();
      const words = [stopped, ...failures, staleWords(stale), reviewWords(toReview)].filter((one) => one !== '');
      if (words.length > 0) throw new Refusal(words.join(' '));
    });
  }

  carryOver(id: string, version: number): Promise<void> {
    const changes = this.#current();
    return this.#next(changes, 'accept', async () => {
      const change = changes.openAsShown(id, version);
      if (change === undefined || !canCarryOver(change)) return;
      const path = change.from ?? '';
      if (!changes.set.carryOver(change, await changes.files.lines(path))) throw new Refusal(noPlaceWords(path));
      // Its diff was made for the former text.
      await this.#parts.proposals.refresh(change.draft, true);
      await this.#open(changes, change);
    });
  }

  undo(shown?: ShownChanges): Promise<boolean> {
    const changes = this.#current();
    return this.#next(changes, 'undo', () => {
      if (shown !== undefined) changes.requireShown(shown);
      return this.#parts.acceptance.undo(changes);
    });
  }

  close(): void {
    const changes = this.#current();
    if (changes.open.length > 0) return;
    changes.isHidden = true;
    this.#changed.fire();
  }

  decisions(): Decisions | undefined {
    const changes = this.#conversations.get(this.#parts.session.conversation.id);
    if (changes === undefined || changes.untold.length === 0) return undefined;
    return { source: decisionsSource(changes), version: changes.decisions };
  }

  told(): void {
    this.#current().noteTold();
    this.#changed.fire();
  }

  /** Runs after what was decided before. */
  async #next<T>(changes: ConversationChanges, act: ChangeAct, run: () => T | Promise<T>): Promise<T> {
    const why = changes.whyNot(act);
    if (why !== null) throw new Refusal(why);
    try {
      return await this.#parts.acceptance.next(async () => run());
    } catch (error) {
      // The page may show a former state.
      this.#changed.fire();
      throw error;
    }
  }

  #whyNot(act: ChangeAct, unseen: readonly FileChange[]): string | null {
    const { session, policy } = this.#parts;
    // The model may propose more for the same files while an answer comes.
    if (session.isBusy) return t('You can decide when the answer is complete.');
    if (act !== 'accept') return null;
    try {
      policy.requireFeature('changes');
    } catch (error) {
      return replyWords(error);
    }
    return policy.requiresReview && unseen.length > 0 ? unseenWords(unseen) : null;
  }

  #current(): ConversationChanges {
    return this.#of(this.#parts.session.conversation.id);
  }

  #of(conversationId: string): ConversationChanges {
    const { proposals } = this.#parts;
    const known =
      this.#conversations.get(conversationId) ??
      new ConversationChanges({
        whyNot: (...of) => this.#whyNot(...of),
        didDecide: () => this.#changed.fire(),
        didReopen: ({ draft }) => proposals.refresh(draft, false),
      });
    this.#conversations.delete(conversationId);
    this.#conversations.set(conversationId, known);
    const [oldest] = this.#conversations.keys();
    if (this.#conversations.size > maxConversations && oldest !== undefined) this.#conversations.delete(oldest);
    return known;
  }
}

async function targetOf({ files }: ConversationChanges, { from, to, draft }: FileChange): Promise<Target> {
  const document = from === null ? null : await files.document(from);
  if (document !== null) return wholeTarget(document);
  const path = from ?? to ?? '';
  return { kind: 'file', uri: await fileOfChange(path), languageId: languageOf(path, draft.proposed) };
}

function staleWords(stale: readonly FileChange[]): string {
  return stale.length === 0
    ? ''
    : t('These files have changed since, so nothing was written to them: {0}', namesOf(stale));
}

function reviewWords(toReview: readonly FileChange[]): string {
  return toReview.length === 0
    ? ''
    : t('Review these first: they change secrets or have hidden characters: {0}', namesOf(toReview));
}

function unseenWords(unseen: readonly FileChange[]): string {
  return t('Nothing was written. The managed policy requires that you open these diffs first: {0}', namesOf(unseen));
}

function noPlaceWords(path: string): string {
  return t(
    'The change of {0} cannot be carried over: not each part of it has exactly one place in the present text. Reject it, and ask again.',
    path,
  );
}

function namesOf(changes: readonly FileChange[]): string {
  return changes.map(({ from, to }) => to ?? from).join(', ');
}

async function openFile(path: string | null): Promise<void> {
  if (path === null) throw new Refusal(t('There is no file to show.'));
  await vscode.commands.executeCommand('vscode.open', await fileOfChange(path));
}

async function openDeletion(path: string): Promise<void> {
  const uri = await fileOfChange(path);
  const nothing = vscode.Uri.from({ scheme: proposalScheme, path: uri.path });
  await vscode.commands.executeCommand('vscode.diff', uri, nothing, t('Deletion of {0}', path));
}
