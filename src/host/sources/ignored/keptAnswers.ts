import { posix } from 'node:path';
import * as vscode from 'vscode';
import { type Lookups, once } from '../../../gate/ignore/ignoreDisk.ts';
import { filesIn } from '../links.ts';
import { rulesIn, workspaceKey } from './ignoreRules.ts';

/** The cached results for the files of one folder, by URI; null for files that may leave. */
interface Answers {
  /** Everything that the results depend on; the same objects while nothing changes. */
  readonly parts: readonly unknown[];
  readonly path: string;
  /** Whether the folder has a file of this name that is not a link. */
  isPlain(name: string): boolean;
  readonly reasons: Map<string, string | null>;
}

const kept = new Map<string, Answers>();
const maxFolders = 5_000;
const maxReasons = 5_000;

/**
 * Caches the result of `ask` for a file while the workspace folders, the links on its path, the entries of its folder
 * and the rules around it are unchanged. A result that may depend on anything else is not cached.
 */
export async function keptAnswer(
  uri: string,
  lookups: Lookups,
  ask: () => Promise<string | null>,
): Promise<string | null> {
  const folder = uri.slice(0, uri.lastIndexOf('/'));
  if (!/^file:\/\/\/[^?#]+$/.test(folder)) return ask();
  const answers = await once(lookups, `answers ${folder}`, () => answersIn(folder, lookups));
  if (answers === null) return ask();
  const known = answers.reasons.get(uri);
  if (known !== undefined) return known;
  const reason = await ask();
  if (isIn(answers, uri)) keep(answers.reasons, uri, reason);
  return reason;
}

async function answersIn(text: string, lookups: Lookups): Promise<Answers | null> {
  const folder = vscode.Uri.parse(text, true);
  const { path } = folder;
  if (posix.normalize(path) !== path || path.normalize('NFC') !== path) return null;
  const { real, listing } = await filesIn(folder, lookups);
  if (real === null || listing === null) return null;
  const parts = await Promise.all([
    workspaceKey(lookups),
    rulesIn(folder, lookups),
    real.path === path ? null : rulesIn(real, lookups),
  ]);
  const now: Answers = {
    parts: [listing, real.path, ...parts],
    path,
    isPlain: (name) => listing.isPlain(name),
    reasons: new Map(),
  };
  const before = kept.get(text);
  if (before?.parts.every((part, index) => part === now.parts[index])) return before;
  if (kept.size >= maxFolders) kept.clear();
  kept.set(text, now);
  return now;
}

/** Excludes names with a slash that the URI encodes, a query, or `..`. */
function isIn(answers: Answers, uri: string): boolean {
  const { path, query, fragment } = vscode.Uri.parse(uri, true);
  const name = posix.basename(path);
  return (
    query === '' &&
    fragment === '' &&
    path === `${answers.path}/${name}` &&
    name.normalize('NFC') === name &&
    answers.isPlain(name)
  );
}

function keep(reasons: Map<string, string | null>, uri: string, reason: string | null): void {
  if (reasons.size >= maxReasons) reasons.clear();
  reasons.set(uri, reason);
}
