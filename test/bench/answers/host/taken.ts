import * as vscode from 'vscode';
import { Draft } from '../../../../src/features/edits/common/draft.ts';
import { withSecretsBack } from '../../../../src/features/edits/vscode/secretKeeper.ts';
import type { Target } from '../../../../src/features/edits/vscode/target.ts';

interface Begun {
  readonly target: Target;
  readonly draft: Draft;
}

/** Takes what would be proposed, in place of a diff that is shown. */
export class Taken {
  #begun: Begun | undefined;
  #isComplete = false;

  readonly canChange = async (): Promise<boolean> => true;

  readonly withSecrets = async (target: Target, codes: readonly string[]): Promise<readonly string[]> =>
    (await withSecretsBack(target, codes)).whole;

  readonly begin = async (target: Target): Promise<Begun> => {
    const [text, places] =
      target.kind === 'document' ? [target.text, target.places] : ['', [{ start: 0, end: 1, indent: '' }]];
    this.#begun = { target, draft: new Draft(text, places) };
    return this.#begun;
  };

  readonly update = (): void => undefined;

  readonly complete = async ({ draft }: Begun, placed: Parameters<Draft['complete']>[0]): Promise<boolean> => {
    draft.complete(placed);
    this.#isComplete = true;
    return !draft.isUnchanged;
  };

  readonly end = async (): Promise<void> => {
    this.#begun = undefined;
  };

  /** The text that the user would see, and its file's path in the workspace; null if there is none. */
  get proposed(): { readonly path: string; readonly text: string } | null {
    if (this.#begun === undefined || !this.#isComplete) return null;
    const { target, draft } = this.#begun;
    const uri = target.kind === 'document' ? target.document.uri : target.kind === 'file' ? target.uri : undefined;
    const path = uri === undefined ? 'untitled' : vscode.workspace.asRelativePath(uri, false);
    return { path, text: draft.proposed.join('\n') };
  }
}
