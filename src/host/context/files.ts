import * as vscode from 'vscode';
import { best } from '../attachments/match.ts';
import type { Offer } from '../attachments/offer.ts';
import type { ReadFiles } from '../sources/ignored/exclusions.ts';
import { fileSource } from './fileSource.ts';
import type { WhyExcluded } from './gather.ts';

const t = vscode.l10n.t;

/** As many files of the workspace are looked through. */
const maxFound = 10_000;
const maxOffered = 30;
/** A list of files this old is made anew. */
const staleMs = 10_000;

/** A file with its name as it is shown: with the workspace folder where there are several. */
export interface NamedFile {
  readonly uri: vscode.Uri;
  readonly name: string;
}

/**
 * The files of the workspace by their names. The popup asks with each letter: it gets the list that is there, and one that
 * has become old is made anew meanwhile.
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
  // Those that git and the settings leave out are asked about one by one, when they are offered.
  const found = await vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**', maxFound);
  // Each is named once: naming is what takes time, and sorting compares a hundred thousand times.
  return found.map(named).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function named(uri: vscode.Uri): NamedFile {
  return { uri, name: vscode.workspace.asRelativePath(uri) };
}

/** The files that fit, open ones first; those that may not leave come last, with the reason. */
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
  // One question about all of them: their ignore files are looked at once.
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

/** The files of all editors, the one in front first. */
export function openFiles(): readonly vscode.Uri[] {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const groups = [activeTabGroup, ...all.filter((group) => group !== activeTabGroup)];
  const tabs = groups.flatMap((group) => [...group.tabs].sort((a, b) => Number(b.isActive) - Number(a.isActive)));
  const uris = tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  const readable = uris.filter(({ scheme }) => scheme !== 'svc-report' && scheme !== 'svc-proposal');
  return [...new Map(readable.map((uri) => [uri.toString(), uri])).values()];
}
