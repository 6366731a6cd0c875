import * as vscode from 'vscode';
import { begunLineAt } from '../../../../edits/begunLine.ts';
import { indentOf } from '../../../../edits/text/lines.ts';
import { joinOf } from '../../../../gate/content.ts';
import { askWords } from '../../../../platform/commands/askWords.ts';
import { relativePath } from '../../../../platform/files/relativePath.ts';
import { notAsked, orFailure } from '../../../../platform/messages/withErrorReporting.ts';
import { attachmentOf, cutRange } from '../../../../platform/sources/attach.ts';
import { enclosingParts } from '../../../../platform/sources/enclosing.ts';
import { documentContent } from '../../../../platform/sources/maker.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';
import { insertMark } from '../../../../session/prompts/codeWords.ts';
import { commentText } from '../../../../session/prompts/commentText.ts';
import { generateParts } from '../../../../session/prompts/prompts.ts';
import { linesOf } from '../../common/hunks.ts';
import { otherFiles } from '../placing/related.ts';
import { type Proposed, type ProposeParts, propose } from '../propose.ts';
import { insertTarget, type Target } from '../target.ts';

const t = vscode.l10n.t;

/** The maximum number of lines of context from the file, before and after the insertion point. */
const linesAround = 150;

/**
 * Asks what to write (a selected comment is the instruction) and proposes the code at each cursor. A document that
 * cannot be changed is refused before any question.
 */
export function generateCode(
  parts: ProposeParts,
  options?: { readonly instruction?: string | undefined },
): Promise<Proposed> {
  return orFailure(() => generate(parts, options));
}

async function generate(
  parts: ProposeParts,
  options?: { readonly instruction?: string | undefined },
): Promise<Proposed> {
  const editor = vscode.window.activeTextEditor;
  const target = atBegunLine(insertTarget(editor), editor);
  if (target.kind === 'document' && !(await parts.proposals.canChange(target.document))) return notAsked();
  const selected = editor === undefined ? '' : editor.document.getText(editor.selection);
  const instruction = options?.instruction ?? commentText(selected);
  if (instruction !== null) {
    return instruction.trim() === '' ? notAsked() : propose(parts, await request(editor, target, instruction));
  }
  await parts.dispatch.check((await request(editor, target, '')).outgoing);
  const words = {
    title: t('Generate code'),
    prompt: t('What should the code do? You see a diff before anything is written.'),
    placeHolder: t('For example: a function that checks a card number with the Luhn algorithm'),
  };
  return askWords('generate', words, async (asked) => propose(parts, await request(editor, target, asked)));
}

/** Narrows the target to the half-written line at the cursor, if there is a single cursor that follows text. */
function atBegunLine(target: Target, editor: vscode.TextEditor | undefined): Target {
  if (target.kind !== 'document' || editor?.selections.length !== 1 || !editor.selection.isEmpty) return target;
  const { line, character } = editor.selection.active;
  const lines = linesOf(target.text);
  const begun = begunLineAt(lines, target.document.languageId, { line, character });
  if (begun === null) return target;
  return { ...target, places: [{ start: line, end: line + 1, indent: indentOf(begun.before), begun }] };
}

async function request(editor: vscode.TextEditor | undefined, target: Target, instruction: string) {
  const first = target.kind === 'document' ? target.places[0] : undefined;
  const document = editor?.document;
  const { around, beyond } = document === undefined ? nothing : await contextAt(document, first ?? atStart);
  const parts = generateParts(instruction, document?.languageId ?? 'plaintext', {
    around,
    isBegun: first?.begun !== undefined,
    related: document === undefined ? [] : [...beyond, ...(await otherFiles(document))],
  });
  const message = { role: 'user', parts, secrets: 'ask' } as const;
  return {
    target,
    isSameEverywhere: true,
    outgoing: { action: 'generate', messages: [message], modelKey: 'svc.model.code', folders: [] },
  } as const;
}

type Place = Extract<Target, { readonly kind: 'document' }>['places'][number];

const atStart: Place = { start: 0, end: 0, indent: '' };
const nothing = { around: null, beyond: [] } as const;

/**
 * The file around a place, with a mark where the code is inserted: indented like the code, in place of a blank line, or
 * in a half-written line. `beyond`: the imports and the head of the class, if they are further away.
 */
async function contextAt(
  document: vscode.TextDocument,
  { start, end, indent, begun }: Place,
): Promise<{ readonly around: Attachment; readonly beyond: readonly Attachment[] }> {
  const column = begun?.before.length ?? 0;
  const first = Math.max(0, start - linesAround);
  const last = Math.min(document.lineCount, start + linesAround);
  const after = new vscode.Range(end, 0, Math.max(end, last), 0);
  const about = {
    label: relativePath(document.uri),
    uri: document.uri,
    languageId: document.languageId,
  };
  const made = await documentContent(document, { outside: 'ask' });
  const around = attachmentOf(made, { ...about, firstLine: first + 1 }, (content) =>
    joinOf([
      cutRange(content, new vscode.Range(first, 0, start, column)),
      begun === undefined ? `${indent}${insertMark}\n` : insertMark,
      cutRange(content, begun === undefined ? after : new vscode.Range(start, column, after.end.line, 0)),
    ]),
  );
  return { around, beyond: enclosingParts(document, made, { start: first, end: Math.max(end, last) }) };
}
