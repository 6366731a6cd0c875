import * as vscode from 'vscode';
import { best } from '../attachments/match.ts';
import type { Offer } from '../attachments/offer.ts';
import type { ReadFiles } from '../sources/ignored/exclusions.ts';
import { fileSource } from './fileSource.ts';
import type { WhyExcluded } from './gather.ts';

const t = vscode.l10n.t;

/** The maximum number of workspace files to search. */
const maxFound = 10_000;
const maxOffered = 30;
/** The list of files is refreshed when it is older than this. */
const staleMs = 10_000;

/** A file with its display name, which includes the workspace folder where there are several. */
export interface NamedFile {
  readonly uri: vscode.Uri;
  readonly name: string;
}

/**
 * The files of the workspace by name. The popup asks at each key press: it gets the current list, and an old list is
 * refreshed in the background.
 */
export class WorkspaceFiles {
  #listed: Promise<readonly NamedFile[]> | null = null;
  #at = 0;
  #isListing = false;

  list(): Promise<readonly NamedFile[]> {
    const isStale = Date.now() - this.#at > staleMs;
    if (this.#isListing || (this.#listed !== null && !isStale)) return this.#listed ?? this.#begin();
    const next = this.#begin();
    this.#listed ??= next;
    return this.#listed;
  }

  #begin(): Promise<readonly NamedFile[]> {
    this.#isListing = true;
    return namedFiles()
      .then((files) => {
        this.#listed = Promise.resolve(files);
        this.#at = Date.now();
        return files;
      })
      .finally(() => {
        this.#isListing = false;
      });
  }
}

async function namedFiles(): Promise<readonly NamedFile[]> {
  // Files excluded by git or the settings are checked one by one when they are offered.
  const found = await vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**', maxFound);
  // Each name is computed once: it is slow, and the sort makes a hundred thousand comparisons.
  return found.map(named).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function named(uri: vscode.Uri): NamedFile {
  return { uri, name: vscode.workspace.asRelativePath(uri) };
}

/** Matching files, open ones first; excluded ones come last, with the reason. */
export async function offerFiles(
  query: string,
  files: WorkspaceFiles,
  whyExcluded: WhyExcluded,
): Promise<readonly Offer[]> {
  const open = openFiles().map(named);
  const isOpen = new Set(open.map(({ uri }) => uri.toString()));
  const nameOf = ({ name }: NamedFile): string => name;
  const others = best(query, await files.list(), nameOf, maxOffered + open.length);
  const fitting = [
    ...best(query, open, nameOf, maxOffered),
    ...others.filter(({ uri }) => !isOpen.has(uri.toString())),
  ].slice(0, maxOffered);
  // One shared cache, so that each ignore file is read once.
  const known: ReadFiles = new Map();
  const offers = await Promise.all(fitting.map((file) => offerFile(file, (uri) => whyExcluded(uri, known))));
  return [...offers.filter(({ isBlocked }) => isBlocked !== true), ...offers.filter(({ isBlocked }) => isBlocked)];
}

async function offerFile({ uri, name: path }: NamedFile, whyExcluded: WhyExcluded): Promise<Offer> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const reason = await whyExcluded(uri.toString());
  if (reason !== null)
    return { label: name, detail: t('excluded by {0}', reason), icon: 'circle-slash', isBlocked: true };
  const folder = path.slice(0, -name.length - 1);
  return { label: name, detail: folder, icon: 'file', source: () => fileSource(uri) };
}

/** The files of all editors, the active one first. */
export function openFiles(): readonly vscode.Uri[] {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const groups = [activeTabGroup, ...all.filter((group) => group !== activeTabGroup)];
  const tabs = groups.flatMap((group) => [...group.tabs].sort((a, b) => Number(b.isActive) - Number(a.isActive)));
  const uris = tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  const readable = uris.filter(({ scheme }) => scheme !== 'svc-report' && scheme !== 'svc-proposal');
  return [...new Map(readable.map((uri) => [uri.toString(), uri])).values()];
}
