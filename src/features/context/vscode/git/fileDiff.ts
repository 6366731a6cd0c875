import * as vscode from 'vscode';
import { type Content, joinOf, sliceOf } from '../../../../gate/content.ts';
import { diffHeader, hunkHeader } from '../../../../gate/diffHeader.ts';
import { inSlices } from '../../../../gate/secrets/pace.ts';
import { withSharedSecrets } from '../../../../gate/sharedSecrets.ts';
import { unifiedDiffInSlices } from '../../../../gate/unifiedDiff.ts';
import { type Change, namesOf, specialKind } from '../../../../platform/git/changes.ts';
import type { NoText, VersionReader } from '../../../../platform/git/versionText.ts';
import type { ReadFiles } from '../../../../platform/sources/ignored/exclusions.ts';
import { makeContent } from '../../../../platform/sources/maker.ts';
import type { LineRange } from '../../../../util/text/span.ts';

/** The diff of one file. */
export interface FileDiff {
  /** The path relative to the root of the repository; the new path of a moved file. */
  readonly path: string;
  readonly uri: vscode.Uri;
  readonly diff: Content;
  /** Line ranges of the new version, as in unifiedDiff(). */
  readonly changed: readonly LineRange[];
}

export type LeftOutReason = NoText | 'excluded' | 'submodule' | 'conflict';

/** A file that differs but has no diff. */
export interface LeftOut {
  readonly path: string;
  readonly reason: LeftOutReason;
  /** The path as content, or null if the path must not be sent. */
  readonly name: Content | null;
}

interface FileDiffParts {
  /** The root of the repository. */
  readonly root: vscode.Uri;
  readonly reader: Pick<VersionReader, 'read'>;
  /** The ignore files that have already been read. */
  readonly known: ReadFiles;
  /** Whether the index is compared, not the working tree. The index contains no unresolved conflicts. */
  readonly isStaged: boolean;
}

/** Returns the diff, or the reason why there is none, or null if both versions are the same. */
export async function fileDiff(change: Change, parts: FileDiffParts): Promise<FileDiff | LeftOut | null> {
  const { root, reader, known } = parts;
  const { before, after } = change;
  const path = (after ?? before)?.path ?? '';
  const uris = namesOf(change).map((name) => vscode.Uri.joinPath(root, name));
  const uri = vscode.Uri.joinPath(root, path);
  const special = specialKind(change);
  if (special !== null) return { path, reason: special, name: null };
  // If the name is not UTF-8, the gate would check a different name.
  if (namesOf(change).some((one) => one.includes('\uFFFD'))) return { path, reason: 'unreadable', name: null };
  const contentOf = async (text: string): Promise<Content | null> => {
    const made = await makeContent(uris, () => text, { outside: 'refuse', known });
    return made.ok ? made.content : null;
  };
  // The names are checked first, because content that must not be sent must not be read.
  const [first, second] = [diffHeader(before, after), hunkHeader(before, after)];
  const words = await contentOf(`${path}\n${first}${second}`);
  if (words === null) return { path, reason: 'excluded', name: null };
  const name = sliceOf(words, 0, path.length);
  if (parts.isStaged && change.isConflict) return { path, reason: 'conflict', name };
  const oldVersion = await reader.read(before, uri);
  const newVersion = await reader.read(after, uri);
  if ('reason' in oldVersion) return { path, reason: oldVersion.reason, name };
  if ('reason' in newVersion) return { path, reason: newVersion.reason, name };
  const [oldContent, newContent] = [await contentOf(oldVersion.text), await contentOf(newVersion.text)];
  // The exclusion rules have changed since the names were checked.
  if (oldContent === null || newContent === null) return { path, reason: 'excluded', name: null };
  const lineEnds = after?.oid === null ? 'as-before' : 'exact';
  const versions = await withSharedSecrets(oldContent, newContent);
  const { hunks, changed } = await inSlices(unifiedDiffInSlices(...versions, { lineEnds }));
  const start = path.length + 1;
  const header = sliceOf(words, start, start + first.length);
  if (hunks.text !== '') return { path, uri, diff: joinOf([sliceOf(words, start, words.text.length), hunks]), changed };
  if (oldVersion.text !== newVersion.text)
    return { path, uri, diff: joinOf([header, '[only the line endings differ]\n']), changed };
  const hasHeaderChange = before === null || after === null || before.path !== after.path || before.mode !== after.mode;
  return hasHeaderChange ? { path, uri, diff: header, changed } : null;
}
