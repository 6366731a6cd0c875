import * as vscode from 'vscode';
import { builtInDenial } from '../../../gate/denials.ts';
import type { Lookups } from '../../../gate/ignore/ignoreDisk.ts';
import type { Attachment } from '../../../send/message/attachment.ts';
import { isBelow } from '../../files/links.ts';
import { type Behind, filesBehind } from '../behind.ts';
import { describeExclusion, outsideRule } from './describeExclusion.ts';
import { answersFor } from './folderAnswers.ts';
import { ruleFor } from './ignoreRules.ts';

/**
 * Returns the reason why an attachment may not be sent, as text, or null if it may. Checks each file that the attachment covers.
 */
export async function whyExcluded({
  uri,
  covers = [],
  outside,
  refused,
}: Pick<Attachment, 'uri' | 'covers' | 'outside' | 'refused'>): Promise<string | null> {
  if (refused !== undefined) return refused;
  // The URI of a diff or a listing is that of a folder, so the files in it are checked.
  const uris = covers.length === 0 ? [uri] : covers.map((covered) => covered.uri);
  const reasons = await whyFilesExcluded(uris, new Map(), outside);
  return reasons.find((reason) => reason !== null) ?? null;
}

/**
 * Returns, for each URI in the same order, the reason why its file is excluded, as text; null if it is not. Files outside every
 * workspace folder are excluded, except for `outside`: the real path of a file or folder that the user agreed to.
 */
export async function whyFilesExcluded(
  asked: readonly string[],
  files: ReadFiles = new Map(),
  outside?: string,
): Promise<readonly (string | null)[]> {
  const known = outside === undefined ? await answersFor(asked, files) : asked.map(() => undefined);
  const ask = (uri: string, index: number): string | null | Promise<string | null> => {
    const answer = known[index];
    return answer === undefined ? askAbout(uri, files, outside) : answer;
  };
  return Promise.all(asked.map(ask));
}

/** Cached lookups, so that a caller that checks many files at a time reads each ignore file once. */
export type ReadFiles = Lookups;

/** Like whyFilesExcluded(), but for one file. */
export async function whyFileExcluded(uri: string, files?: ReadFiles, outside?: string): Promise<string | null> {
  const [reason = null] = await whyFilesExcluded([uri], files, outside);
  return reason;
}

async function askAbout(uri: string, files: ReadFiles, outside: string | undefined): Promise<string | null> {
  const parsed = safeParseUri(uri);
  if (parsed === null) return vscode.l10n.t('the rule for documents without a file ({0})', uri);
  const behind = await filesBehind(parsed, files);
  const excluded = await ruleAgainst(behind, files);
  if (excluded !== null) return excluded;
  const outsidePath = outsideOf(behind);
  const isAgreed =
    outsidePath === null || outsidePath === outside || (outside !== undefined && isBelow(outside, outsidePath));
  return isAgreed ? null : outsideRule(outsidePath);
}

/** Returns the real path of a file outside every workspace folder, or null if all files are inside. */
export function outsideOf(behind: Behind): string | null {
  if (behind.kind !== 'files') return null;
  return behind.files.find(({ isInside }) => !isInside)?.real.path ?? null;
}

/**
 * Returns the rule that prevents the content of a document from being sent, as text, or null if there is none. Checks both the
 * resolved file and the name by which it was opened, so that neither a link nor `..` bypasses a rule.
 */
export async function ruleAgainst(behind: Behind, files: ReadFiles = new Map()): Promise<string | null> {
  if (behind.kind === 'none') return null;
  if (behind.kind === 'refused') return behind.rule;
  for (const { uri, real } of behind.files) {
    for (const asked of real === uri || real.toString() === uri.toString() ? [uri] : [real, uri]) {
      const denied = builtInDenial(asked.path);
      const found = denied === null ? await ruleFor(asked, files) : { by: 'built-in' as const, pattern: denied };
      if (found !== null) return describeExclusion(found, asked);
    }
  }
  return null;
}

function safeParseUri(text: string): vscode.Uri | null {
  try {
    return vscode.Uri.parse(text, true);
  } catch {
    return null;
  }
}
