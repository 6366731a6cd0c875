import * as vscode from 'vscode';
import { asText } from '../../../platform/messages/asText.ts';
import { flagWords } from '../../../platform/messages/describePolicy.ts';
import { describeBreaks, describeProof, describeVerdict } from '../../../platform/messages/describeVerdict.ts';
import { replyWords } from '../../../platform/pages/callError.ts';
import { type CallHandlers, openChannel } from '../../../platform/pages/channel.ts';
import { pageHtml } from '../../../platform/pages/pageHtml.ts';
import type {
  AuditCalls,
  AuditDataMessage,
  AuditStatus,
  AuditVerdictView,
} from '../../../protocol/audit/auditMessages.ts';
import type { DeliveryStatus } from '../../../store/audit/delivery/delivery.ts';
import type { LogTail, LogTaker } from '../../../store/audit/logTail.ts';
import type { AuditVerdict } from '../../../store/audit/verifyLog.ts';
import { Disposable, type DisposableLike } from '../../../util/disposable.ts';
import type { Logger } from '../../../util/logger.ts';
import { AuditFeed } from './auditFeed.ts';
import { auditCallShapes } from './calls.ts';
import { deliveryWords, keptWords } from './deliveryWords.ts';
import { eventRows } from './eventWords.ts';
import { refusalRows } from './refusalWords.ts';
import { type Signing, unsignedWords } from './signingWords.ts';
import { auditStrings } from './strings.ts';

const t = vscode.l10n.t;

/** The log that the page shows. */
interface AuditSource {
  /** Returns a reader for the records, and then for new ones. */
  follow(taker: LogTaker): LogTail;
  verify(): Promise<AuditVerdict>;
  /** The lines of this window that are not signed yet. */
  readonly signing: Signing;
  readonly keepDays: number | undefined;
  /** Returns the state of the delivery, or null if nothing is to be delivered. */
  delivery(): Promise<DeliveryStatus | null>;
  /** Fires when an entry was recorded, signed or delivered in this window. */
  readonly onDidChange: (listener: () => void) => DisposableLike;
}

/** The audit log page in an editor; at most one is open. It is updated when an entry is recorded. */
export class AuditView extends Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #audit: AuditSource;
  readonly #logger: Logger;
  #panel: vscode.WebviewPanel | undefined;
  #feed: AuditFeed | undefined;
  #verdict: AuditVerdictView | undefined;
  /** The pending update of the page. */
  #updateTimer: NodeJS.Timeout | undefined;
  /** The duration of the last update in milliseconds. */
  #updateMs = 0;

  constructor(extensionUri: vscode.Uri, audit: AuditSource, logger: Logger) {
    super();
    this.#extensionUri = extensionUri;
    this.#audit = audit;
    this.#logger = logger;
    this._register(audit.onDidChange(() => this.#updateSoon()));
    this._register({ dispose: () => this.#panel?.dispose() });
  }

  show(): { readonly ok: true } {
    if (this.#panel !== undefined) {
      this.#panel.reveal();
      return { ok: true };
    }
    const root = (...path: string[]): vscode.Uri => vscode.Uri.joinPath(this.#extensionUri, ...path);
    const panel = vscode.window.createWebviewPanel('svc.auditLog', t('Svc Audit Log'), vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [root('dist', 'webview'), root('media')],
    });
    panel.iconPath = new vscode.ThemeIcon('shield');
    this.#panel = panel;
    panel.onDidDispose(() => {
      clearTimeout(this.#updateTimer);
      this.#updateTimer = undefined;
      this.#panel = undefined;
      this.#feed?.stop();
      this.#feed = undefined;
      this.#verdict = undefined;
    });
    // VS Code disposes of the page while it is hidden; the next page sends `ready`.
    panel.onDidChangeViewState(() => panel.visible || this.#feed?.stop());
    const post = openChannel<AuditCalls, AuditDataMessage>(panel.webview, {
      name: 'audit page',
      shapes: auditCallShapes,
      handlers: this.#calls,
      wordsFor: (error) => (isOfDisk(error) ? t('The audit log could not be read.') : replyWords(error)),
      logger: this.#logger,
    });
    this.#feed = this.#feedTo(post);
    panel.webview.html = pageHtml(panel.webview, this.#extensionUri, {
      strings: auditStrings(),
      script: 'audit.js',
      styles: ['audit.css'],
    });
    return { ok: true };
  }

  #feedTo(post: (message: AuditDataMessage) => void): AuditFeed {
    return new AuditFeed({
      follow: (taker) => this.#audit.follow(taker),
      words: { flags: flagWords(), refusalRows, eventRows },
      status: () => this.#status(),
      post,
    });
  }

  readonly #calls: CallHandlers<AuditCalls> = {
    ready: () => this.#update(true),
    refresh: () => this.#update(),
    verify: async () => {
      this.#verdict = verdictView(await this.#audit.verify());
      await this.#update();
    },
    openChat: () => vscode.commands.executeCommand('svc.openChat'),
    // The command asks for the location, applies the policy, and reports errors itself.
    export: ({ format }) => vscode.commands.executeCommand('svc.auditLog.export', { format }),
  };

  /**
   * Delays the update, because a request writes two entries. The delay grows with the duration of an update, so that updates
   * take at most a twentieth of the time.
   */
  #updateSoon(): void {
    if (this.#panel?.visible !== true) return;
    this.#updateTimer ??= setTimeout(
      () => {
        this.#updateTimer = undefined;
        // A read error is reported when the user refreshes the page.
        this.#update().catch(() => undefined);
      },
      Math.max(300, 20 * this.#updateMs),
    );
  }

  async #update(isNew = false): Promise<void> {
    if (this.#panel?.visible !== true) return;
    const startedAt = performance.now();
    await this.#feed?.tell(isNew);
    this.#updateMs = performance.now() - startedAt;
  }

  async #status(): Promise<Pick<AuditStatus, 'unsigned' | 'verdict'>> {
    const { signing, keepDays } = this.#audit;
    const words = [unsignedWords(signing), ...deliveryWords(await this.#audit.delivery()), ...keptWords(keepDays)];
    return {
      unsigned: words.join(' ').trim(),
      ...(this.#verdict === undefined ? {} : { verdict: this.#verdict }),
    };
  }
}

function verdictView(verdict: AuditVerdict): AuditVerdictView {
  const isIntact = verdict.verdict === 'intact';
  return {
    isIntact,
    text: describeVerdict(verdict),
    breaks: describeBreaks(verdict).map(asText),
    facts: describeProof(verdict).map(asText),
    at: Date.now(),
  };
}
/** Whether an error comes from the system, not from the extension: Node's system errors have a code and a system call. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
