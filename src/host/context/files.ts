import * as vscode from 'vscode';
import { fileSource } from './fileSource.ts';
import type { WhyExcluded } from './gather.ts';
import { best } from './match.ts';
import type { Offer } from './offer.ts';

const t = vscode.l10n.t;

/** As many files of the workspace are looked through. */
const maxFound = 10_000;
const maxOffered = 30;
/** A list of files this old is made anew. */
const staleMs = 10_000;

/** The files of the workspace, listed anew only when some time has passed: the popup asks with each letter. */
export class WorkspaceFiles {
  #listed: { readonly at: number; readonly files: Promise<readonly vscode.Uri[]> } | null = null;

  list(): Promise<readonly vscode.Uri[]> {
    const now = Date.now();
    if (this.#listed === null || now - this.#listed.at > staleMs) {
      // Those that git and the settings leave out are asked about one by one, when they are offered.
      const found = vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**', maxFound);
      this.#listed = { at: now, files: Promise.resolve(found) };
    }
    return this.#listed.files;
  }
}

/** The files that fit, open ones first; those that may not leave come last, with the reason. */
export async function offerFiles(
  query: string,
  files: WorkspaceFiles,
  whyExcluded: WhyExcluded,
): Promise<readonly Offer[]> {
  const open = openFiles();
  const known = new Set(open.map(String));
  const others = (await files.list()).filter((file) => !known.has(file.toString()));
  const nameOf = (file: vscode.Uri): string => vscode.workspace.asRelativePath(file);
  const fitting = [
    ...best(query, open, nameOf, maxOffered),
    ...best(
      query,
      [...others].sort((a, b) => nameOf(a).localeCompare(nameOf(b))),
      nameOf,
      maxOffered,
    ),
  ].slice(0, maxOffered);
  const offers = await Promise.all(fitting.map((file) => offerFile(file, whyExcluded)));
  return [...offers.filter(({ isBlocked }) => isBlocked !== true), ...offers.filter(({ isBlocked }) => isBlocked)];
}

async function offerFile(file: vscode.Uri, whyExcluded: WhyExcluded): Promise<Offer> {
  const path = vscode.workspace.asRelativePath(file);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const reason = await whyExcluded(file.toString());
  if (reason !== null)
    return { label: name, detail: t('excluded by {0}', reason), icon: 'circle-slash', isBlocked: true };
  const folder = path.slice(0, -name.length - 1);
  return { label: name, detail: folder, icon: 'file', source: () => fileSource(file) };
}

/** The files of all editors, the one in front first. */
export function openFiles(): readonly vscode.Uri[] {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const groups = [activeTabGroup, ...all.filter((group) => group !== activeTabGroup)];
  const tabs = groups.flatMap((group) => [...group.tabs].sort((a, b) => Number(b.isActive) - Number(a.isActive)));
  const uris = tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  const readable = uris.filter(({ scheme }) => scheme !== 'svc-report' && scheme !== 'svc-proposal');
  return [...new Map(readable.map((uri) => [uri.toString(), uri])).values()];
}
