import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { ChangeSet } from '../../common/changeSet.ts';
import type { Draft } from '../../common/draft.ts';
import type { CodeSource } from '../acceptedCode.ts';
import type { Target } from '../target.ts';
import { TargetFile } from '../writing/targetFile.ts';
import type { OwnedChange, WritableChanges } from './writableChanges.ts';

/** A proposal, which may move with its file. */
interface Single {
  readonly target: Target;
  readonly draft: Draft;
  readonly name: string;
  readonly languageId: string;
  readonly source: CodeSource;
}

/** Makes a change set of one file: the proposal of a command, or of code in an answer. */
export function singleChange(
  of: Single,
  copy: Pick<WritableChanges, 'files' | 'base' | 'whyNot'> = { files: new TargetFile(of) },
): OwnedChange {
  const { target, name, draft } = of;
  const set = new ChangeSet({ ignoresCase: false });
  const change = set.begin(target.kind === 'document' ? name : null, name, draft);
  const changes: WritableChanges = {
    ...{ id: randomUUID(), set, ...copy, isShown: () => true },
    // Like a request, which is sent then.
    mustRecord: false,
    fileOf: () => fileOf(of),
    pathOf: () => pathOf(of),
    sourceOf: () => of.source,
    languageOf: () => of.languageId,
  };
  return { changes, change };
}

function fileOf({ target }: Single): vscode.Uri | undefined {
  if (target.kind === 'untitled') return undefined;
  return target.kind === 'document' ? target.document.uri : target.uri;
}

function pathOf(of: Single): string {
  const file = fileOf(of);
  return file === undefined ? of.name : vscode.workspace.asRelativePath(file);
}
