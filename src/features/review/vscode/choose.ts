import * as vscode from 'vscode';
import { showInformation } from '../../../platform/messages/show.ts';
import { readLayers } from '../../../platform/settings/settingsReader.ts';
import { compliance, type Framework, frameworks } from '../../../policy/compliance/compliance.ts';
import { PolicyError } from '../../../policy/policyError.ts';
import { resolveSetting } from '../../../policy/resolveSetting.ts';
import { frameworkNames, rulesFor } from '../../../review/catalog.ts';
import type { ReviewParts } from './parts.ts';
import type { Estimate } from './plan.ts';

const t = vscode.l10n.t;

/** The default pattern: languages that are typical for reviews. The user can change it. */
const defaultFiles =
  '**/*.{ts,tsx,js,jsx,mjs,cjs,py,java,kt,scala,cs,vb,go,rb,php,rs,c,cc,cpp,h,hpp,swift,sql,sh,ps1,yaml,yml,tf,html,vue}';
const excludedFolders = '**/{node_modules,.git}/**';
/** The maximum number of files in one review. */
export const maxFiles = 2000;

/**
 * Returns the given frameworks, or else those in force, or else those that the user picks. Returns null if the user
 * picks none.
 */
export async function chooseFrameworks(
  { contextReader }: Pick<ReviewParts, 'contextReader'>,
  folders: readonly string[],
  named: readonly string[] | undefined,
): Promise<readonly Framework[] | null> {
  const known = frameworks.filter((framework) => named?.includes(framework));
  if (known.length > 0) return known;
  const { policy } = contextReader.requestContext({ modelKey: 'svc.model.review', folders });
  if (policy.ok && policy.policy.frameworks.value.length > 0) return policy.policy.frameworks.value;
  const items = frameworks.map((framework) => ({
    label: frameworkNames[framework],
    description: t('{0} rules', rulesFor([framework]).length),
    framework,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: t('Which frameworks do you want to review against?'),
    placeHolder: t('No frameworks are set. To always use the same ones, set {0}', compliance.frameworks.setting),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked === undefined || picked.length === 0 ? null : picked.map(({ framework }) => framework);
}

/** The question about the files for a review of the workspace. */
export function filesQuestion(): vscode.InputBoxOptions {
  return {
    title: t('Review Workspace'),
    prompt: t('Which files? Excluded files are always left out.'),
    value: defaultFiles,
  };
}

/** Returns the workspace files that match a pattern, sorted by name. */
export async function chooseFiles(
  include: string,
): Promise<{ readonly uris: readonly vscode.Uri[]; readonly beyond: readonly vscode.Uri[] }> {
  const found = await vscode.workspace.findFiles(include, excludedFolders);
  const uris = [...found].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { uris: uris.slice(0, maxFiles), beyond: uris.slice(maxFiles) };
}

/** Shows the estimate of a run and asks for confirmation, before anything is sent. */
export async function confirmEstimate(
  { files, bytes, tokens, requests }: Estimate,
  about: {
    readonly model: string;
    readonly frameworks: readonly Framework[];
    readonly excluded: number;
    /** The maximum number of parallel requests. */
    readonly parallel: number;
  },
): Promise<boolean> {
  const number = (value: number): string => value.toLocaleString(vscode.env.language);
  const detail = [
    t('Files: {0} ({1} KB)', number(files), number(Math.ceil(bytes / 1024))),
    t('Excluded files: {0}', number(about.excluded)),
    t('Requests: {0}, up to {1} at a time', number(requests), number(about.parallel)),
    t('Tokens sent: about {0}, plus the answers', number(tokens)),
    t('Model: {0}', about.model),
    t('Frameworks: {0}', about.frameworks.map((name) => frameworkNames[name]).join(', ')),
    requests === 1 && files === 1
      ? t('Svc Coder asks before it sends found secrets.')
      : t('Found secrets are masked without asking for each one.'),
  ].join('\n');
  const review = t('Review');
  const message = t('Review {0} files?', number(files));
  return (await showInformation(message, { modal: true, detail }, review)) === review;
}

/** The maximum number of parallel requests of a review. Throws a PolicyError for an invalid value. */
export function parallelRequests(): number {
  const resolved = resolveSetting(readLayers([]), 'svc.review.parallel');
  if (!resolved.ok) throw new PolicyError([resolved.problem]);
  return Number(resolved.value);
}
