import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { SecretKeeper } from '../../../gate/secrets/marks/keeper.ts';
import { proposalScheme } from '../../../platform/sources/ownDocuments.ts';
import { Draft } from '../common/draft.ts';
import type { CodeSource } from './acceptedCode.ts';
import { singleChange } from './changes/singleChange.ts';
import type { OwnedChange } from './changes/writableChanges.ts';
import { Drawing } from './shown/drawing.ts';
import { shownLanguage } from './shown/shownLanguage.ts';
import { liveDocument, type Target } from './target.ts';

interface ProposalParts {
  /** The secrets of the target, which the model saw as marks. */
  readonly keeper: SecretKeeper;
  readonly stop: () => void;
  /** Resolves when VS Code shows the current text of a proposal. */
  readonly show: (proposal: Proposal) => Promise<void>;
  /** The change of a conversation that it shows; undefined for a proposal that is a change set of its own. */
  readonly owned?: OwnedChange | undefined;
}

/** A change that the user sees as a diff: its target, the proposed text, and the hunks still to decide. */
export class Proposal {
  readonly draft: Draft;
  readonly keeper: SecretKeeper;
  readonly owned: OwnedChange;
  /** Whether the change ends with its diff. */
  readonly isSingle: boolean;
  /** Called when the proposal is rejected before its answer is complete. */
  readonly stop: () => void;
  readonly drawing: Drawing;
  /** The origin of its code; set with the code. */
  source: CodeSource = {};
  /** The proposal from the same answer that the user decides on after this one. */
  next: Proposal | undefined;
  /** The labels of the other files that were sent with its request. */
  context: readonly string[] = [];
  #target: Target;
  #uri: vscode.Uri;

  constructor(target: Target, { keeper, stop, show, owned }: ProposalParts) {
    this.#target = target;
    this.keeper = keeper;
    this.#uri = this.#newUri();
    this.stop = stop;
    this.drawing = new Drawing(() => show(this));
    this.draft = owned?.change.draft ?? newDraft(target, keeper);
    this.isSingle = owned === undefined;
    this.owned = owned ?? singleChange(this);
  }

  get target(): Target {
    return this.#target;
  }

  /** The virtual document that shows the proposed text. Unique to this proposal. */
  get uri(): vscode.Uri {
    return this.#uri;
  }

  /**
   * The virtual document that shows the current text beside it in the diff. The diff does not show the file itself,
   * because VS Code would drop it from the diff when it is renamed.
   */
  get originalUri(): vscode.Uri {
    return this.#uri.with({ authority: originalSide });
  }

  /** The URI of the target file or document, or undefined if the proposal becomes a new document. */
  get targetUri(): vscode.Uri | undefined {
    const { target } = this;
    if (target.kind === 'untitled') return undefined;
    return target.kind === 'document' ? target.document.uri : target.uri;
  }

  get name(): string {
    const path = this.targetUri?.path ?? vscode.l10n.t('new file');
    return path.slice(path.lastIndexOf('/') + 1);
  }

  get languageId(): string {
    return this.target.kind === 'document' ? this.target.document.languageId : this.target.languageId;
  }

  /** The language of both sides of the diff. */
  get shownLanguage(): string {
    return shownLanguage(this.languageId, validatedAsJson());
  }

  get lineEnd(): string {
    const { target } = this;
    if (target.kind === 'document') return target.document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    if (target.kind === 'untitled') return '\n';
    const files = vscode.workspace.getConfiguration('files', { uri: target.uri, languageId: target.languageId });
    return files.get('eol') === '\r\n' ? '\r\n' : '\n';
  }

  /** The whole proposed text. */
  get text(): string {
    return this.draft.proposed.join(this.lineEnd);
  }

  /** The current text of the document, or the last known text if it is closed. */
  get originalText(): string {
    const { target, draft } = this;
    if (target.kind !== 'document') return '';
    return target.document.isClosed ? draft.original.join(this.lineEnd) : target.document.getText();
  }

  /** Checks whether the document still exists and has the text that the proposal was made for. */
  async check(): Promise<'fits' | 'changed' | 'gone'> {
    if (this.#target.kind !== 'document') return 'fits';
    const document = await liveDocument(this.#target.document);
    if (document === null) return 'gone';
    this.#target = { ...this.#target, document };
    return this.draft.fits(document.getText()) ? 'fits' : 'changed';
  }

  /** Moves the proposal to its renamed file, with a new URI. */
  moveTo(target: Target): void {
    this.#target = target;
    this.#uri = this.#newUri();
  }

  #newUri(): vscode.Uri {
    // With the file's own extension, VS Code would assign a language that it validates.
    const name = `${this.targetUri?.path ?? this.name}.${proposalScheme}`;
    // The path of an untitled document does not begin with a slash.
    const path = name.startsWith('/') ? name : `/${name}`;
    return vscode.Uri.from({ scheme: proposalScheme, path, query: randomBytes(8).toString('hex') });
  }
}

function newDraft(target: Target, keeper: SecretKeeper): Draft {
  return target.kind === 'document'
    ? new Draft(target.text, target.places, keeper)
    : new Draft('', [{ start: 0, end: 1, indent: '' }], keeper);
}

/** The authority of the virtual documents that show the original side of the diff. */
export const originalSide = 'original';

/** The languages that extensions register for JSON validation. */
function validatedAsJson(): ReadonlySet<string> {
  const named = vscode.extensions.all.flatMap(({ packageJSON }): readonly unknown[] => {
    const participants: unknown = packageJSON?.contributes?.jsonLanguageParticipants;
    return Array.isArray(participants) ? participants.map((each) => each?.languageId) : [];
  });
  return new Set(named.filter((languageId) => typeof languageId === 'string'));
}
