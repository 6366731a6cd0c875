import { posix } from 'node:path';
import * as vscode from 'vscode';
import { type Lookups, once } from '../../../gate/ignore/ignoreDisk.ts';
import { filesIn } from '../links.ts';
import { rulesIn, workspaceKey } from './ignoreRules.ts';

/** Why files of one folder may not leave, as far as it was asked: by their URIs, null for those that may. */
interface Answers {
  /** All that the answers depend on, which is the same object as long as nothing changes. */
  readonly parts: readonly unknown[];
  readonly path: string;
  /** There is a file of this name in the folder, and it is no link. */
  isPlain(name: string): boolean;
  readonly reasons: Map<string, string | null>;
}

const kept = new Map<string, Answers>();
const maxFolders = 5_000;
const maxReasons = 5_000;

/**
 * The answer of `ask` for a file, which is kept as long as the workspace folders, the links on the way, what is in its
 * folder and the rules around it stay the same. What is not sure to depend on those alone is asked each time.
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

/** The name may have a slash in it that the URI writes in another way, a query, or `..`. */
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
