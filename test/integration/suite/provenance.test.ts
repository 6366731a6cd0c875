import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AcceptedCode } from '../../../src/features/edits/vscode/acceptedCode.ts';
import { openUntitled } from '../../../src/features/edits/vscode/writing/openUntitled.ts';
import { InlineCompletions } from '../../../src/features/inline/vscode/inlineCompletions.ts';
import { OwnParts } from './ownParts.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage } from './stage.ts';

const run = <T = { ok: boolean }>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

const secretName = 'nameOfNothingElse';
const answered = `function ${secretName}(a, b) {\n  return a + b;\n}\n`;

interface LogRecord {
  readonly kind: string;
  readonly request?: string;
  readonly edit: string;
  readonly language: string;
  readonly added: number;
  readonly removed: number;
  readonly code: string;
}

/** The lines of the log that were written since the last call. */
async function newLines(): Promise<readonly string[]> {
  const { folder } = await run<{ readonly folder: string }>('svc.auditLog.verify');
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
  const fresh = lines.filter((line) => !seen.has(line));
  for (const line of fresh) seen.add(line);
  return fresh;
}

const seen = new Set<string>();

function recordsOf(lines: readonly string[], kind: string): readonly LogRecord[] {
  return lines.map((line) => JSON.parse(line) as LogRecord).filter((record) => record.kind === kind);
}

describe('provenance: accepted code', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStageWithKey({ answer: () => `\`\`\`javascript\n${answered}\`\`\`\n` });
    await newLines();
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    await stage.close();
  });

  it('is recorded with its request, for each change and for all, without content or path', async () => {
    const editor = await show(await openUntitled('one\ntwo\nthree\n', 'javascript'));
    editor.selections = [0, 1, 2].map((line) => new vscode.Selection(line, 0, line, 0));
    await run('svc.generateCode', { instruction: 'a function' });
    assert.deepEqual(await run('svc.acceptHunk'), { ok: true, left: 2 });
    const first = await newLines();
    const [one, ...others] = recordsOf(first, 'code-accepted');
    assert.equal(others.length, 0);
    const [intent] = recordsOf(first, 'request-intent');
    assert.deepEqual([one?.request, one?.language, one?.added, one?.removed], [intent?.request, 'javascript', 3, 0]);
    assert.match(one?.code ?? '', /^[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    const second = await newLines();
    const [two] = recordsOf(second, 'code-accepted');
    assert.deepEqual([two?.request, two?.added, two?.removed], [intent?.request, 6, 0]);
    assert.notEqual(two?.edit, one?.edit);
    const text = [...first, ...second].join('\n');
    for (const word of [secretName, 'return a', 'Untitled']) assert.ok(!text.includes(word), word);
  });

  it('is not recorded if it is rejected', async () => {
    await show(await openUntitled('one\n', 'javascript'));
    await run('svc.generateCode', { instruction: 'a function' });
    await run('svc.rejectProposal');
    assert.deepEqual(recordsOf(await newLines(), 'code-accepted'), []);
  });

  it('is counted as the formatter leaves it, and a line that only moves is not new', async () => {
    const formatter = vscode.languages.registerDocumentFormattingEditProvider('javascript', {
      provideDocumentFormattingEdits: (document) => {
        const all = new vscode.Range(0, 0, document.lineCount, 0);
        return [vscode.TextEdit.replace(all, document.getText().replace('(a, b) {', '(\n  a,\n  b,\n) {'))];
      },
    });
    try {
      const editor = await show(await openUntitled('one\n', 'javascript'));
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await run('svc.generateCode', { instruction: 'a function' });
      await run('svc.acceptProposal');
      assert.match(editor.document.getText(), /\(\n {2}a,/);
      const [record] = recordsOf(await newLines(), 'code-accepted');
      assert.deepEqual([record?.added, record?.removed], [6, 0]);
    } finally {
      formatter.dispose();
    }
  });

  it('is an inline suggestion that VS Code tells to be accepted, with its whole lines', async () => {
    const { dispatch, contextReader } = new OwnParts();
    const accepted: AcceptedCode[] = [];
    const onAccepted = async (code: AcceptedCode): Promise<void> => void accepted.push(code);
    const completions = new InlineCompletions({ dispatch, contextReader, onAccepted, requireEnd: () => undefined });
    try {
      const { document } = await show(await openUntitled('const total = \n', 'javascript'));
      const end = document.lineAt(0).range.end;
      const context = { triggerKind: vscode.InlineCompletionTriggerKind.Invoke } as vscode.InlineCompletionContext;
      const { token } = new vscode.CancellationTokenSource();
      const [item] = await completions.provideInlineCompletionItems(document, end, context, token);
      assert.ok(item?.command !== undefined);
      const insertion = String(item.insertText);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, item.range ?? new vscode.Range(end, end), insertion);
      await vscode.workspace.applyEdit(edit);
      const accept = (): Thenable<unknown> => run(item.command?.command ?? '', ...(item.command?.arguments ?? []));
      await accept();
      // Only once, whoever calls it again.
      await accept();
      const [code, ...others] = accepted;
      assert.equal(others.length, 0);
      assert.equal(code?.before, null);
      assert.equal(code?.after, `const total = ${insertion}`);
      assert.match(code?.source.request ?? '', /^[0-9a-f-]{36}$/);
      assert.equal(code?.source.model, 'svc/enterprise-coder-v1');
    } finally {
      completions.dispose();
    }
  });
});
