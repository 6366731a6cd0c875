import * as vscode from 'vscode';
import type { ReviewParts } from './review/parts.ts';
import type { ComplianceReview } from './review/review.ts';

const names = [
  'reviewFile',
  'reviewChanges',
  'reviewWorkspace',
  'showReview',
  'exportReview',
  'clearReview',
  'fixFinding',
  'explainFinding',
  'suppressFinding',
] as const satisfies readonly (keyof ComplianceReview)[];

/** The commands of reviews; what is behind them is a bundle of its own, loaded with the first of them. */
export function registerReview(parts: ReviewParts): vscode.Disposable {
  let loaded: Promise<ComplianceReview> | undefined;
  const load = (): Promise<ComplianceReview> => {
    loaded ??= import('./review/review.ts').then(({ createReview }) => createReview(parts));
    return loaded;
  };
  return vscode.Disposable.from(
    ...names.map((name) =>
      vscode.commands.registerCommand(`svc.${name}`, async (options: unknown) => {
        const review = await load();
        return (review[name] as (options: unknown) => unknown).call(review, options);
      }),
    ),
    { dispose: () => void loaded?.then((review) => review.dispose()) },
  );
}
