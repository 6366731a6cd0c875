import assert from 'node:assert/strict';
import * as vscode from 'vscode';

interface Binding {
  readonly key: string;
  readonly command: string;
  readonly when?: string;
}

/** VS Code's default keybindings, as it shows them to the user. */
async function defaults(): Promise<readonly Binding[]> {
  const uri = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
  const text = (await vscode.workspace.openTextDocument(uri)).getText();
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, ''));
}

/** VS Code's own key for help, which it has no way to add to: it has nothing to show for a webview. */
const isHelp = ({ key, when }: Binding): boolean => key === 'alt+f1' && when === 'focusedView == svc.chat';

/** The context keys that hold in the focused text of a proposal; all others are treated as false. */
const inProposal = new Set(['editorTextFocus', 'textInputFocus', 'editorFocus', 'editorReadonly', 'isInDiffEditor']);

/** Whether a condition can hold in the text of a proposal. Comparisons are treated as possibly true. */
function mayHold(when = 'true'): boolean {
  return when.split('||').some((alternative) =>
    alternative
      .split('&&')
      .map((part) => part.trim())
      .every((part) => {
        if (part.startsWith('!')) return !inProposal.has(part.slice(1));
        return /[ =<>]/.test(part) || part === 'true' || part.startsWith('config.') || inProposal.has(part);
      }),
  );
}

describe('keybindings', () => {
  it('are recognized by VS Code', () => {
    assert.ok(mayHold());
    assert.ok(mayHold('editorTextFocus && !suggestWidgetVisible || terminalFocus'));
    assert.ok(!mayHold('textInputFocus && !editorReadonly'));
    assert.ok(!mayHold('terminalFocus || inChat && editorFocus'));
  });

  it('are used by VS Code for nothing else, where they apply outside of a proposal', async () => {
    const all = await defaults();
    const others = all.filter(({ command }) => !command.startsWith('svc.')).map(({ key }) => key);
    const { keybindings } = vscode.extensions.getExtension('svc.svc-coder')?.packageJSON.contributes ?? {};
    const elsewhere = (keybindings as readonly Binding[]).filter(
      (binding) => !(binding.when ?? '').includes('svc-proposal') && !isHelp(binding),
    );
    assert.ok(elsewhere.length > 0);
    assert.deepEqual(
      elsewhere.filter(({ key }) => others.some((other) => other === key || other.startsWith(`${key} `))),
      [],
    );
    // The first key of each is one with which VS Code's own two-key bindings begin.
    assert.deepEqual(
      elsewhere.filter(({ key }) => !others.some((other) => other.startsWith(`${key.split(' ')[0]} `))),
      [],
    );
  });

  it('hide none of VS Code: none of its bindings with the same key can apply in a proposal', async () => {
    const ours: readonly Binding[] =
      vscode.extensions.getExtension('svc.svc-coder')?.packageJSON.contributes.keybindings ?? [];
    const all = await defaults();
    assert.ok(all.length > 500, `${all.length} of VS Code`);
    const clashes = ours
      .filter((binding) => !isHelp(binding))
      .flatMap(({ key, when = '' }) =>
        all
          .filter((other) => other.key === key && !other.command.startsWith('svc.') && mayHold(other.when))
          .map((other) => `${key}: ${other.command} (${other.when}), ours where ${when}`),
      );
    assert.deepEqual(clashes, []);
  });
});
