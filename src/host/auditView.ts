import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type {
  AuditData,
  AuditEventRow,
  AuditHostMessage,
  AuditStrings,
  AuditVerdictView,
} from '../protocol/auditMessages.ts';
import type { AuditRecord } from '../store/auditLine.ts';
import { Disposable } from '../util/disposable.ts';
import { joinRecords } from './auditRows.ts';
import type { AuditEvidence } from './auditTrail.ts';
import { pageHtml } from './chatView/html.ts';
import { describeVerdict } from './describeVerdict.ts';

const t = vscode.l10n.t;

const call = z.object({ type: z.enum(['ready', 'verify', 'export']) });

/** The page of the audit log, in an editor: at most one. It is told anew when something was recorded. */
export class AuditView extends Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #audit: AuditEvidence;
  #panel: vscode.WebviewPanel | undefined;
  #verdict: AuditVerdictView | undefined;

  constructor(extensionUri: vscode.Uri, audit: AuditEvidence) {
    super();
    this.#extensionUri = extensionUri;
    this.#audit = audit;
    this._register(audit.onDidChange(() => void this.#send()));
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
      this.#panel = undefined;
      this.#verdict = undefined;
    });
    panel.webview.onDidReceiveMessage((message: unknown) => this.#onCall(message));
    panel.webview.html = pageHtml(panel.webview, this.#extensionUri, {
      strings: auditStrings(),
      script: 'audit.js',
      styles: ['audit.css'],
    });
    return { ok: true };
  }

  async #onCall(message: unknown): Promise<void> {
    const parsed = call.safeParse(message);
    if (!parsed.success) return;
    if (parsed.data.type === 'export') await vscode.commands.executeCommand('svc.auditLog.export');
    if (parsed.data.type === 'verify') {
      const verdict = await this.#audit.verify();
      this.#verdict = { isIntact: verdict.verdict === 'intact', text: describeVerdict(verdict) };
    }
    await this.#send();
  }

  async #send(): Promise<void> {
    const panel = this.#panel;
    if (panel === undefined || !panel.visible) return;
    const { records, badLines } = await this.#audit.read();
    const data: AuditData = {
      rows: joinRecords(records),
      events: records.flatMap(eventRow),
      badLines,
      ...(this.#verdict === undefined ? {} : { verdict: this.#verdict }),
    };
    const message: AuditHostMessage = { type: 'data', data };
    // The page may be gone by now: there is nobody to tell then.
    panel.webview.postMessage(message).then(undefined, () => undefined);
  }
}

function eventRow(record: AuditRecord): readonly AuditEventRow[] {
  const text = eventWords(record);
  return text === null ? [] : [{ at: Date.parse(record.time), text }];
}

function eventWords(record: AuditRecord): string | null {
  switch (record.kind) {
    case 'request-intent':
    case 'request-outcome':
      return null;
    case 'session-started':
      return t(
        'Session started: {0}',
        Object.entries(record.versions)
          .map(([name, version]) => `${name} ${version}`)
          .join(', '),
      );
    case 'key-set':
      return t('API key set for {0}', record.origin);
    case 'key-removed':
      return t('API key removed for {0}', record.origin);
    case 'policy-changed':
      return t('Managed policy changed: {0}', [record.state, record.digest ?? ''].join(' ').trim());
    case 'log-exported':
      return t('Log exported as {0}, records: {1}', record.format, record.records);
    case 'log-verified':
      return t('Log verified: {0}, records: {1}', record.verdict, record.records);
    case 'data-purged':
      return t('Local data purged: conversations {0}, keys {1}', record.conversations, record.keys);
  }
}

function auditStrings(): AuditStrings {
  return {
    title: t('Svc Audit Log'),
    period: t('Period'),
    today: t('Today'),
    week: t('7 days'),
    month: t('30 days'),
    all: t('All'),
    days: t('From … to …'),
    from: t('From'),
    to: t('To'),
    model: t('Model'),
    posture: t('Posture'),
    outcome: t('Outcome'),
    any: t('any'),
    verify: t('Verify'),
    export: t('Export…'),
    requests: t('Requests'),
    failed: t('Failed'),
    contradicted: t('Contradicted'),
    masked: t('Masked'),
    medianLatency: t('Median time'),
    tokens: t('Tokens'),
    byDay: t('Requests by day'),
    byModel: t('By model'),
    byPosture: t('By posture'),
    byOutcome: t('By outcome'),
    byLatency: t('By time to the end of the answer'),
    byTokens: t('Tokens by day'),
    asTable: t('As a table'),
    value: t('Value'),
    count: t('Count'),
    time: t('Time'),
    action: t('Action'),
    confirmation: t('Confirmation'),
    duration: t('Duration'),
    files: t('Files'),
    events: t('Other events'),
    event: t('Event'),
    none: t('Nothing was recorded in this period.'),
    noPosture: t('no headers'),
    badLines: t('Lines that are no records: {0}. Verify says where.', '{0}'),
    more: t('Show more ({0})', '{0}'),
  };
}
