import * as vscode from 'vscode';
import { blockAt } from '../../../../edits/block.ts';
import { ownerOf } from '../../../../edits/text/owner.ts';
import { askWords } from '../../../../platform/commands/askWords.ts';
import { showHint } from '../../../../platform/messages/hint.ts';
import { notAsked, orFailure } from '../../../../platform/messages/withErrorReporting.ts';
import { linesOf as linesOfRange, partOf } from '../../../../platform/sources/attach.ts';
import { documentContent } from '../../../../platform/sources/maker.ts';
import { openText } from '../../../../platform/sources/open.ts';
import { maskedIn } from '../../../../platform/sources/scans.ts';
import { symbolAt } from '../../../../platform/sources/symbols.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';
import type { Outgoing } from '../../../../send/outgoing.ts';
import {
  documentInstruction,
  editParts,
  fixInstruction,
  type Problem,
} from '../../../../session/prompts/editPrompts.ts';
import { linesOf } from '../../common/hunks.ts';
import { relatedTo } from '../placing/related.ts';
import { type Proposed, type ProposeParts, propose } from '../propose.ts';
import { replaceTarget, type Target } from '../target.ts';

const t = vscode.l10n.t;

/** Arguments from other code and code actions, used instead of the active editor. */
export interface EditOptions {
  readonly instruction?: string | undefined;
  /** The document. `start` and `end` then limit the lines, zero-based and without `end`. */
  readonly uri?: vscode.Uri | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/**
 * Asks what to change in the selections, or without a selection in the symbol, the block or the file around the
 * cursor; the change is a proposal. Code that cannot be sent is refused before the question.
 */
export async function editCode(parts: ProposeParts, options?: EditOptions): Promise<Proposed> {
  const instruction = options?.instruction;
  // Only the question shows which block is edited.
  const place = await placeToEdit(parts, options, instruction === undefined ? 'block' : 'symbol');
  if (place === null) return notAsked();
  if (instruction !== undefined) return instruction.trim() === '' ? notAsked() : edit(parts, place, instruction);
  return orFailure(async () => {
    const { codes } = await codesOf(place);
    await parts.dispatch.check(outgoingOf(editParts('', codes, [])));
    const words = {
      title: titleOf(place),
      prompt: t('What should change? You see a diff before anything is written.'),
      placeHolder: t('For example: return early instead of nesting'),
    };
    return askWords('edit', words, (asked) => edit(parts, place, asked));
  });
}

/** Proposes a fix for the problems that VS Code shows for the selection, or else for the file. */
export async function fixProblems(parts: ProposeParts, options?: EditOptions): Promise<Proposed> {
  const place = await placeToEdit(parts, options, 'file');
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
  // A message may quote a secret without its name, by which the scan of the request would find it.
  const masked = await maskedIn(place.document.getText(), fixInstruction(problems));
  return fixIn(parts, place.document, masked);
}

/** Proposes a fix for a finding of a review; `how` describes the fix. */
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
  if (place === null) return notAsked();
  if (!hasCode(place)) {
    showHint(t('There is no code to document.'));
    return notAsked();
  }
  return edit(parts, place, documentInstruction);
}

export interface Place {
  readonly document: vscode.TextDocument;
  readonly ranges: readonly vscode.Range[];
  /** Whether the range is a declaration with its comments, such as the symbol at the cursor. */
  readonly isSymbol?: boolean;
  /** Whether the range was found without symbols. */
  readonly isBlock?: boolean;
}

/** Whether the place is not blank. */
export function hasCode({ document, ranges }: Place): boolean {
  return ranges.some((range) => document.getText(range).trim() !== '');
}

function edit(parts: ProposeParts, place: Place, instruction: string): Promise<Proposed> {
  return orFailure(() => editPlace(parts, place, instruction));
}

async function editPlace(parts: ProposeParts, place: Place, instruction: string): Promise<Proposed> {
  const { target, places, codes } = await codesOf(place);
  const ranges = places.map(({ start, end }) => new vscode.Range(start, 0, Math.max(start, end - 1), 0));
  const related = await relatedTo(place.document, ranges);
  const lines = linesOf(place.document.getText());
  const owners = places.map((each) => ownerOf(lines, place.document.languageId, each));
  return ask(parts, target, editParts(instruction, codes, related, owners));
}

/** The code to edit, place by place. */
export async function codesOf({ document, ranges, isSymbol }: Place) {
  const target = replaceTarget(document, ranges, isSymbol);
  const places = target.kind === 'document' ? target.places : [];
  const made = await documentContent(document, { outside: 'ask' });
  const codes = places.map(({ start, end }) => {
    const isWhole = start === 0 && end >= document.lineCount;
    return partOf(made, document, isWhole ? undefined : new vscode.Range(start, 0, end, 0));
  });
  return { target, places, codes };
}

export function ask(parts: ProposeParts, target: Target, message: readonly (string | Attachment)[]): Promise<Proposed> {
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
async function placeToEdit({ proposals }: ProposeParts, options?: EditOptions, scope?: Scope): Promise<Place | null> {
  const place = await placeOf(options, scope);
  if (place === null) {
    showHint(t('Open a file with code first.'));
    return null;
  }
  return (await proposals.canChange(place.document)) ? place : null;
}

/**
 * The smallest unit that is edited without a selection: the symbol at the cursor; the block around it, if there is no
 * symbol; or always the file.
 */
type Scope = 'symbol' | 'block' | 'file';

/** The given lines, or else the selections, or else the unit that `scope` names, or else the whole document. */
export async function placeOf(options: EditOptions | undefined, scope: Scope = 'symbol'): Promise<Place | null> {
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
  const symbol = scope === 'file' ? undefined : await symbolAt(document, selection.active);
  if (symbol !== undefined) return { document, ranges: [symbol], isSymbol: true };
  const block = scope === 'block' ? blockIn(document, selection.active.line) : null;
  return block ?? { document, ranges: [new vscode.Range(0, 0, document.lineCount, 0)] };
}

function blockIn(document: vscode.TextDocument, line: number): Place | null {
  const block = blockAt(linesOf(document.getText()), document.languageId, line);
  if (block === null) return null;
  const { start, end, isUnit } = block;
  return { document, ranges: [new vscode.Range(start, 0, end, 0)], isSymbol: isUnit, isBlock: true };
}

/** Names the code that is edited, because nothing else shows it before the request. */
function titleOf({ document, ranges, isSymbol, isBlock }: Place): string {
  const [range] = ranges;
  if (range === undefined || ranges.length > 1) return t('Edit code: {0} selections', ranges.length);
  const lines = rangeLines(range);
  if (isBlock) return t('Edit code: the block at the cursor ({0})', lines);
  if (isSymbol) return t('Edit code: the symbol at the cursor ({0})', lines);
  const isWhole = range.contains(document.validateRange(new vscode.Range(0, 0, document.lineCount, 0)));
  return isWhole ? t('Edit code: the whole file ({0})', lines) : t('Edit code: the selection ({0})', lines);
}

function rangeLines(range: vscode.Range): string {
  const [first = '', last] = linesOfRange(range).split('-');
  return last === undefined ? t('line {0}', first) : t('lines {0} to {1}', first, last);
}
