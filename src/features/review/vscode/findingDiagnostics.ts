import * as vscode from 'vscode';
import { isGone } from '../../../platform/files/isGone.ts';
import { ownSource } from '../../../platform/sources/ownDocuments.ts';
import type { Framework } from '../../../policy/compliance/compliance.ts';
import { frameworkNames } from '../../../review/catalog.ts';
import { follow } from '../../../review/findings/follow.ts';
import { createLocator } from '../../../review/findings/locate.ts';
import type { PlacedFinding } from '../../../review/findings/placed.ts';
import type { ReviewReport } from '../../../review/report.ts';
import { type Severity, severities } from '../../../review/rule.ts';
import { Disposable } from '../../../util/disposable.ts';
import type { Span } from '../../../util/text/span.ts';

const diagnosticSeverities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  high: vscode.DiagnosticSeverity.Error,
  medium: vscode.DiagnosticSeverity.Warning,
  low: vscode.DiagnosticSeverity.Information,
};

/** A finding in the Problems panel; its span refers to the current document, adjusted for edits. */
export interface Shown extends Span {
  readonly finding: PlacedFinding;
  readonly range: vscode.Range;
}

/**
 * The findings in the Problems panel, kept only in memory. A finding moves with its lines. It stays until its quoted
 * text changes, it is suppressed, its file is deleted, or a review checks it again.
 */
export class FindingDiagnostics extends Disposable {
  readonly #collection = this._register(vscode.languages.createDiagnosticCollection('svc'));
  readonly #files = new Map<string, readonly Shown[]>();

  constructor() {
    super();
    this._register(vscode.workspace.onDidChangeTextDocument((change) => this.#follow(change)));
    this._register(vscode.workspace.onDidOpenTextDocument((document) => this.#find(document)));
    this._register(vscode.workspace.onDidDeleteFiles(({ files }) => this.#forgetDeleted(files)));
    this._register(
      vscode.workspace.onDidRenameFiles(({ files }) => this.#forgetDeleted(files.map(({ oldUri }) => oldUri))),
    );
    // The watcher also covers deletions by git, a build or a terminal.
    const deleted = this._register(vscode.workspace.createFileSystemWatcher('**', true, true, false));
    this._register(deleted.onDidDelete((uri) => this.#forgetDeleted([uri])));
  }

  /**
   * Shows the findings of a review. They replace the earlier findings for the same files and frameworks. `before`: the
   * fingerprints that this review has shown so far; the new ones are added to them.
   */
  show(
    { files, findings, frameworks }: Pick<ReviewReport, 'files' | 'findings' | 'frameworks'>,
    before = new Set<string>(),
  ): void {
    for (const { uri, isComplete } of files) {
      const found = findings.filter((finding) => finding.uri === uri && finding.suppression === null);
      const fresh = new Set(found.map(({ fingerprint }) => fingerprint));
      const accepted = new Set(
        findings.filter(({ suppression }) => suppression !== null).map(({ fingerprint }) => fingerprint),
      );
      const kept = (this.#files.get(uri) ?? []).filter(({ finding }) => {
        const { fingerprint } = finding;
        if (fresh.has(fingerprint) || accepted.has(fingerprint) || before.has(fingerprint)) return false;
        // An incomplete review does not prove that the finding is resolved.
        return !isComplete || !asked(frameworks, finding);
      });
      for (const fingerprint of fresh) before.add(fingerprint);
      this.#put(vscode.Uri.parse(uri, true), [...kept, ...found.map(shownAt)]);
      if (found.length > 0) void this.#forgetIfDeleted(vscode.Uri.parse(uri, true));
      const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri);
      // The file may have changed during the review.
      if (open !== undefined) this.#find(open);
    }
  }

  /** Returns the findings that touch a range, or all findings of a file, the most severe first. */
  at(uri: vscode.Uri, range?: vscode.Range): readonly Shown[] {
    const shown = (this.#files.get(uri.toString()) ?? []).toSorted(
      (a, b) => severities.indexOf(a.finding.severity) - severities.indexOf(b.finding.severity),
    );
    return range === undefined ? shown : shown.filter((each) => each.range.intersection(range) !== undefined);
  }

  get count(): number {
    return [...this.#files.values()].reduce((sum, shown) => sum + shown.length, 0);
  }

  remove(uri: vscode.Uri, fingerprint: string): void {
    this.#put(
      uri,
      this.at(uri).filter(({ finding }) => finding.fingerprint !== fingerprint),
    );
  }

  clear(): void {
    this.#files.clear();
    this.#collection.clear();
  }

  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const shown = this.#files.get(document.uri.toString());
    if (shown === undefined || contentChanges.length === 0) return;
    const changes = contentChanges.map(({ rangeOffset, rangeLength, text }) => ({
      offset: rangeOffset,
      removed: rangeLength,
      inserted: text.length,
    }));
    const after = document.getText();
    this.#place(document, shown, (each) =>
      follow({ start: each.start, end: each.end, text: each.finding.text }, changes, after),
    );
  }

  /**
   * Finds the quoted text again: the document may differ from the reviewed text, for example after a change on the
   * disk.
   */
  #find(document: vscode.TextDocument): void {
    const shown = this.#files.get(document.uri.toString());
    if (shown === undefined) return;
    const text = document.getText();
    const { locate } = createLocator(text);
    this.#place(document, shown, ({ finding, start, end, range }) => {
      if (text.slice(start, end) === finding.text) return { start, end };
      const place = locate(finding.text, range.start.line + 1);
      return place.kind === 'exact' ? place : null;
    });
  }

  #place(document: vscode.TextDocument, shown: readonly Shown[], where: (each: Shown) => Span | null): void {
    const placed = shown.flatMap((each): Shown[] => {
      // A finding about the whole file has no quoted text that could change.
      if (each.finding.placed === 'file') return [each];
      const found = where(each);
      if (found === null) return [];
      const range = new vscode.Range(document.positionAt(found.start), document.positionAt(found.end));
      return [{ ...each, ...found, range }];
    });
    const isSame =
      placed.length === shown.length && placed.every(({ range }, index) => shown[index]?.range.isEqual(range) === true);
    if (isSame) this.#files.set(document.uri.toString(), placed);
    else this.#put(document.uri, placed);
  }

  /**
   * Removes the findings of deleted files. VS Code reports a deleted folder without the files in it. A file may exist
   * again by now.
   */
  async #forgetDeleted(uris: readonly vscode.Uri[]): Promise<void> {
    const deletedPaths = uris.map(String);
    for (const file of this.#files.keys()) {
      if (!deletedPaths.some((one) => file === one || file.startsWith(`${one}/`))) continue;
      const uri = vscode.Uri.parse(file, true);
      if (await isGone(uri)) this.#put(uri, []);
    }
  }

  /**
   * Removes the findings of a file that was deleted or renamed during the review. A document that was never saved has
   * no file.
   */
  async #forgetIfDeleted(uri: vscode.Uri): Promise<void> {
    if (uri.scheme !== 'untitled' && (await isGone(uri))) this.#put(uri, []);
  }

  #put(uri: vscode.Uri, shown: readonly Shown[]): void {
    if (shown.length === 0) this.#files.delete(uri.toString());
    else this.#files.set(uri.toString(), shown);
    this.#collection.set(uri, shown.map(diagnosticOf));
  }
}

function asked(frameworks: readonly Framework[], { rule }: PlacedFinding): boolean {
  return frameworks.includes(rule.framework);
}

function shownAt(finding: PlacedFinding): Shown {
  const { firstLine, firstColumn, lastLine, lastColumn, start, end } = finding;
  const range = new vscode.Range(firstLine - 1, firstColumn - 1, lastLine - 1, lastColumn - 1);
  return { finding, range, start, end };
}

function diagnosticOf({ finding, range }: Shown): vscode.Diagnostic {
  const { rule, severity, message, placed } = finding;
  const about = [frameworkNames[rule.framework], severityWord(severity)];
  if (placed === 'line') about.push(vscode.l10n.t('approximate place'));
  const text = `${message} (${about.join(', ')})`;
  const diagnostic = new vscode.Diagnostic(range, text, diagnosticSeverities[severity]);
  diagnostic.source = ownSource;
  diagnostic.code = rule.id;
  return diagnostic;
}

export function severityWord(severity: Severity): string {
  switch (severity) {
    case 'high':
      return vscode.l10n.t('high');
    case 'medium':
      return vscode.l10n.t('medium');
    case 'low':
      return vscode.l10n.t('low');
  }
}
