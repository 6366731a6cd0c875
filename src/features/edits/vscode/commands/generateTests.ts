import * as vscode from 'vscode';
import { showHint } from '../../../../platform/messages/hint.ts';
import { showError } from '../../../../platform/messages/show.ts';
import { notAsked, orFailure } from '../../../../platform/messages/withErrorReporting.ts';
import { attachFile, attachRange } from '../../../../platform/sources/attach.ts';
import { openDocument } from '../../../../platform/sources/open.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';
import { moreTestParts, testParts } from '../../../../session/prompts/editPrompts.ts';
import { findAnswerFile } from '../placing/answerFile.ts';
import { relatedTo } from '../placing/related.ts';
import { testPathFor } from '../placing/testPath.ts';
import type { Proposed, ProposeParts } from '../propose.ts';
import { ask, codesOf, type EditOptions, hasCode, type Place, placeOf } from './edit.ts';
import { filesForTests } from './filesForTests.ts';

const t = vscode.l10n.t;

/** The maximum number of lines of a test that are sent as a style sample. */
const sampleLines = 120;

/** Proposes a test file in the place where the package keeps its tests, or a change if the file exists. */
export function generateTests(parts: ProposeParts, options?: EditOptions): Promise<Proposed> {
  return orFailure(() => writeTests(parts, options));
}

async function writeTests(parts: ProposeParts, options?: EditOptions): Promise<Proposed> {
  const place = await placeOf(options);
  const folder = place === null ? undefined : vscode.workspace.getWorkspaceFolder(place.document.uri);
  if (place === null || folder === undefined) {
    showHint(t('Open a file of the workspace to generate tests for it.'));
    return notAsked();
  }
  if (!hasCode(place)) {
    showHint(t('There is no code to test.'));
    return notAsked();
  }
  const source = place.document.uri.path.slice(folder.uri.path.length + 1);
  const { path, sample } = testPathFor(source, await filesForTests(folder, source));
  const file = await findAnswerFile(
    (vscode.workspace.workspaceFolders?.length ?? 0) > 1 ? `${folder.name}/${path}` : path,
  );
  if (!file.ok) {
    void showError(t('Tests cannot be written there: {0}.', file.reason));
    return notAsked();
  }
  if (file.exists) return addTests(parts, place, await openDocument(file.uri), path);
  const [range] = place.ranges;
  const code = await attachRange(place.document, range);
  const like = sample === null ? null : await sampleAt(vscode.Uri.joinPath(folder.uri, sample));
  const related = await relatedTo(place.document, range === undefined ? [] : [range]);
  const target = { kind: 'file', uri: file.uri, languageId: place.document.languageId } as const;
  return ask(parts, target, testParts(code, path, like, related));
}

/** The model sees the whole test file, and its answer is a change of it. */
async function addTests(
  parts: ProposeParts,
  { document, ranges }: Place,
  tests: vscode.TextDocument,
  path: string,
): Promise<Proposed> {
  if (!(await parts.proposals.canChange(tests))) return notAsked();
  const whole = tests.validateRange(new vscode.Range(0, 0, tests.lineCount, 0));
  const { target, codes } = await codesOf({ document: tests, ranges: [whole] });
  const [range] = ranges;
  const isTest = document.uri.toString() === tests.uri.toString();
  const code = isTest ? null : await attachRange(document, range);
  const related = await relatedTo(document, range === undefined ? [] : [range]);
  // The test file is not added as context, because the request has all of it.
  const others = isTest ? [] : related.filter(({ uri }) => uri !== tests.uri.toString());
  const added = target.kind === 'document' ? { ...target, adds: true } : target;
  return ask(parts, added, moreTestParts(code, path, codes, others));
}

/**
 * The beginning of an existing test. The user did not choose it, so it is omitted without an error if it is excluded.
 */
async function sampleAt(uri: vscode.Uri): Promise<Attachment | null> {
  const sample = await attachFile(uri, () => new vscode.Range(0, 0, sampleLines, 0), { outside: 'refuse' });
  return sample.refused === undefined ? sample : null;
}
