import type { Uri } from 'vscode';

/** The schemes of the virtual documents that this extension shows. */
export const proposalScheme = 'svc-proposal';
export const reportScheme = 'svc-report';
export const reviewScheme = 'svc-review';

/** The schemes of documents that are not code of the user. VS Code's Output view is an editor, too. */
const notCode = new Set([proposalScheme, reportScheme, reviewScheme, 'output']);

/** Whether an editor shows code of the user, and not a proposal or report of this extension, or output. */
export function showsUserCode({ scheme }: Uri): boolean {
  return !notCode.has(scheme);
}

/** The source of findings in the Problems panel. */
export const ownSource = 'Svc';
