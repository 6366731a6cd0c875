import * as vscode from 'vscode';
import type { Attachment } from '../../session/conversation/attachment.ts';
import type { Outgoing } from '../../session/dispatch/outgoing.ts';
import {
  documentInstruction,
  editParts,
  fixInstruction,
  type Problem,
  testParts,
} from '../../session/prompts/editPrompts.ts';
import { findAnswerFile } from '../edits/placing/answerFile.ts';
import { relatedTo } from '../edits/placing/related.ts';
import { testPathFor } from '../edits/placing/testPath.ts';
import { type Proposed, type ProposeParts, propose } from '../edits/propose.ts';
import { insertTarget, replaceTarget, type Target } from '../edits/target.ts';
import { showHint } from '../messages/hint.ts';
import { showError } from '../messages/show.ts';
import { notAsked, orFailure } from '../messages/withErrorReporting.ts';
import { attachFile, attachRange, partOf, symbolAt } from '../sources/attach.ts';
import { documentContent } from '../sources/maker.ts';
import { openDocument, openText } from '../sources/open.ts';
import { askWords } from './askWords.ts';

const t = vscode.l10n.t;

/** Arguments from other code and code actions, used instead of the active editor. */
interface EditOptions {
  readonly instruction?: string | undefined;
  /** With it, the lines of the document, zero-based, to before `end`. */
  readonly uri?: vscode.Uri | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/**
 * Asks what to change in the selections, the symbol at the cursor, or the file; the change is a proposal. What cannot be
 * sent is refused before the question.
 */
export async function editCode(parts: ProposeParts, options?: EditOptions): Promise<Proposed> {
  const place = await placeToEdit(parts, options);
  if (place === null) return notAsked();
  const instruction = options?.instruction;
  if (instruction !== undefined) return instruction.trim() === '' ? notAsked() : edit(parts, place, instruction);
  return orFailure(async () => {
    const { codes } = await codesOf(place);
    await parts.dispatch.check(outgoingOf(editParts('', codes, [])));
    const words = {
      title: t('Edit code'),
      prompt: t('What should change? You see a diff before anything is written.'),
      placeHolder: t('For example: return early instead of nesting'),
    };
    return askWords('edit', words, (asked) => edit(parts, place, asked));
  });
}

/** Proposes a fix for the problems that VS Code shows for the selection, else for the file. */
export async function fixProblems(parts: ProposeParts, options?: EditOptions): Promise<Proposed> {
  const place = await placeToEdit(parts, options, true);
  if (place === null) return notAsked();
  const problems = vscode.languages
    .getDiagnostics(place.document.uri)
    .filter(({ range }) => place.ranges.some((each) => each.intersection(range) !== undefined))
    .slice(0, 50)
    .map(({ range, message }) => ({ line: range.start.line + 1, message }));
  if (problems.length === 0) {
    showHint(t('There are no problems here.'));
    return notAsked();
  }
  return fixIn(parts, place.document, fixInstruction(problems));
}

/** Proposes a fix for a finding of a review; `how` tells more about it. */
export async function fixFinding(
  parts: ProposeParts,
  document: vscode.TextDocument,
  problem: Problem,
  how: string,
): Promise<Proposed> {
  if (!(await parts.proposals.canChange(document))) return notAsked();
  return fixIn(parts, document, `${fixInstruction([problem])}\n${how}`);
}

/** A fix may need changes elsewhere, such as an import at the top, so the answer covers the whole file. */
function fixIn(parts: ProposeParts, document: vscode.TextDocument, instruction: string): Promise<Proposed> {
  const whole = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
  return edit(parts, { document, ranges: [whole] }, instruction);
}

/** Proposes documentation comments for the selection, the symbol at the cursor, or the file. */
export async function documentCode(parts: ProposeParts, options?: EditOptions): Promise<Proposed> {
  const place = await placeToEdit(parts, options);
  return place === null ? notAsked() : edit(parts, place, documentInstruction);
}

/** Proposes a test file where this workspace keeps its tests; where it exists already, appends tests to it. */
export function generateTests(parts: ProposeParts, options?: EditOptions): Promise<Proposed> {
  return orFailure(() => writeTests(parts, options));
}

async function writeTests(parts: ProposeParts, options?: EditOptions): Promise<Proposed> {
  const place = await placeOf(options, false);
  const folder = place === null ? undefined : vscode.workspace.getWorkspaceFolder(place.document.uri);
  if (place === null || folder === undefined) {
    showHint(t('Open a file of the workspace to generate tests for it.'));
    return notAsked();
  }
  const { document, ranges } = place;
  const found = await vscode.workspace.findFiles(
    new vscode.RelativePattern(folder, '**/*.*'),
    '**/node_modules/**',
    5_000,
  );
  const below = (uri: vscode.Uri): string => uri.path.slice(folder.uri.path.length + 1);
  const { path, sample } = testPathFor(below(document.uri), found.map(below).sort());
  const file = await findAnswerFile(
    (vscode.workspace.workspaceFolders?.length ?? 0) > 1 ? `${folder.name}/${path}` : path,
  );
  if (!file.ok) {
    void showError(t('Tests cannot be written there: {0}.', file.reason));
    return notAsked();
  }
  const target = await testTarget(parts, file.uri, file.exists, document.languageId);
  if (target === null) return notAsked();
  const code = await attachRange(document, ranges[0]);
  const like = sample === null ? null : await sampleAt(vscode.Uri.joinPath(folder.uri, sample));
  const related = await relatedTo(document, ranges[0] ?? new vscode.Range(0, 0, 0, 0));
  return ask(parts, target, testParts(code, path, like, related));
}

/**
 * The beginning of an existing test. The user did not choose it, so it is left out without an error where it is
 * excluded.
 */
async function sampleAt(uri: vscode.Uri): Promise<Attachment | null> {
  const sample = await attachFile(uri, () => new vscode.Range(0, 0, 120, 0), { outside: 'refuse' });
  return sample.refused === undefined ? sample : null;
}

async function testTarget(
  { proposals }: ProposeParts,
  uri: vscode.Uri,
  exists: boolean,
  languageId: string,
): Promise<Target | null> {
  if (!exists) return { kind: 'file', uri, languageId };
  const document = await openDocument(uri);
  if (!(await proposals.canChange(document))) return null;
  const end = document.lineAt(document.lineCount - 1).range.end;
  return insertTarget({ document, selections: [new vscode.Selection(end, end)] });
}

interface Place {
  readonly document: vscode.TextDocument;
  readonly ranges: readonly vscode.Range[];
}

function edit(parts: ProposeParts, place: Place, instruction: string): Promise<Proposed> {
  return orFailure(() => editPlace(parts, place, instruction));
}

async function editPlace(parts: ProposeParts, place: Place, instruction: string): Promise<Proposed> {
  const { target, places, codes } = await codesOf(place);
  const [first, last] = [places[0]?.start ?? 0, places.at(-1)?.end ?? 0];
  const related = await relatedTo(place.document, new vscode.Range(first, 0, Math.max(first, last - 1), 0));
  return ask(parts, target, editParts(instruction, codes, related));
}

/** The code to edit, place by place. */
async function codesOf({ document, ranges }: Place) {
  const target = replaceTarget(document, ranges);
  const places = target.kind === 'document' ? target.places : [];
  const made = await documentContent(document, { outside: 'ask' });
  const codes = places.map(({ start, end }) => partOf(made, document, new vscode.Range(start, 0, end, 0)));
  return { target, places, codes };
}

function ask(parts: ProposeParts, target: Target, message: readonly (string | Attachment)[]): Promise<Proposed> {
  return propose(parts, { target, outgoing: outgoingOf(message) });
}

function outgoingOf(message: readonly (string | Attachment)[]): Outgoing {
  return {
    action: 'generate',
    messages: [{ role: 'user', parts: message, secrets: 'ask' }],
    modelKey: 'svc.model.code',
    folders: [],
  };
}

/** The place to edit, if its document can be changed. */
async function placeToEdit({ proposals }: ProposeParts, options?: EditOptions, isWhole = false): Promise<Place | null> {
  const place = await placeOf(options, isWhole);
  if (place === null) {
    showHint(t('Open a file with code first.'));
    return null;
  }
  return (await proposals.canChange(place.document)) ? place : null;
}

/** The named lines, else the selections, else the symbol at the cursor (unless `isWhole`), else the whole document. */
async function placeOf(options: EditOptions | undefined, isWhole: boolean): Promise<Place | null> {
  if (options?.uri !== undefined) {
    const document = await openText(options.uri);
    const { start = 0, end = document.lineCount } = options;
    return { document, ranges: [document.validateRange(new vscode.Range(start, 0, end, 0))] };
  }
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return null;
  const { document, selections, selection } = editor;
  const selected = selections.filter(({ isEmpty }) => !isEmpty);
  if (selected.length > 0) return { document, ranges: selected };
  const symbol = isWhole ? undefined : await symbolAt(document, selection.active);
  return { document, ranges: [symbol ?? new vscode.Range(0, 0, document.lineCount, 0)] };
}
