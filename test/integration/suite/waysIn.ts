import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { relative } from 'node:path/posix';
import * as vscode from 'vscode';
import { explainCode } from '../../../src/features/chat/vscode/commands/chat.ts';
import { CurrentFile } from '../../../src/features/context/vscode/attachments/currentFile.ts';
import { PendingAttachments } from '../../../src/features/context/vscode/attachments/pendingAttachments.ts';
import { readPrompts } from '../../../src/features/context/vscode/attachments/promptFiles.ts';
import { questionFrom } from '../../../src/features/context/vscode/attachments/question.ts';
import { droppedSource } from '../../../src/features/context/vscode/dropped.ts';
import { fileSource } from '../../../src/features/context/vscode/fileSource.ts';
import { folderSource } from '../../../src/features/context/vscode/folderSource.ts';
import { readDiffs } from '../../../src/features/context/vscode/git/diffs.ts';
import { readProjectFile } from '../../../src/features/context/vscode/instructions.ts';
import { openEditorsSource } from '../../../src/features/context/vscode/openEditors.ts';
import { problemsSource } from '../../../src/features/context/vscode/problems.ts';
import type { ContextSource } from '../../../src/features/context/vscode/source.ts';
import { symbolSource } from '../../../src/features/context/vscode/symbolSource.ts';
import { ConversationChanges } from '../../../src/features/edits/vscode/changes/conversationChanges.ts';
import { decisionsSource } from '../../../src/features/edits/vscode/changes/decisions.ts';
import { ProposedChanges } from '../../../src/features/edits/vscode/changes/proposedChanges.ts';
import { editCode, fixFinding } from '../../../src/features/edits/vscode/commands/edit.ts';
import { generateCode } from '../../../src/features/edits/vscode/commands/generate.ts';
import { generateTests } from '../../../src/features/edits/vscode/commands/generateTests.ts';
import { askWholeFile } from '../../../src/features/edits/vscode/placing/askWholeFile.ts';
import { Misplaced } from '../../../src/features/edits/vscode/placing/placed.ts';
import { otherFiles, relatedTo } from '../../../src/features/edits/vscode/placing/related.ts';
import { wholeTarget } from '../../../src/features/edits/vscode/target.ts';
import { openUntitled } from '../../../src/features/edits/vscode/writing/openUntitled.ts';
import { InlineCompletions } from '../../../src/features/inline/vscode/inlineCompletions.ts';
import {
  planReview,
  type ReviewTarget,
  outgoingFor as reviewOutgoing,
} from '../../../src/features/review/vscode/plan.ts';
import { QuickFixes } from '../../../src/features/review/vscode/quickFixes.ts';
import { readTargets, targetOf } from '../../../src/features/review/vscode/targets.ts';
import { ownTools } from '../../../src/features/tools/vscode/own/ownTools.ts';
import { pathOf, ToolRefusal } from '../../../src/features/tools/vscode/own/place.ts';
import { withProposed } from '../../../src/features/tools/vscode/own/proposedRows.ts';
import { unchangedFiles } from '../../../src/features/tools/vscode/own/unchangedFiles.ts';
import { outgoingQuestion } from '../../../src/features/vscodeChat/vscode/participant/question.ts';
import { defaultLimits } from '../../../src/gate/limits.ts';
import { attachmentOf, attachNotebook } from '../../../src/platform/sources/attach.ts';
import type { Dispatch } from '../../../src/send/dispatch.ts';
import type { Attachment } from '../../../src/send/message/attachment.ts';
import type { Outgoing } from '../../../src/send/outgoing.ts';
import { leadOf } from '../../../src/session/prompts/houseRules.ts';
import { ownText } from '../../../src/session/tools/ownText.ts';
import { saying } from '../../../src/session/tools/toolStep.ts';
import { abortedError } from '../../../src/util/errors.ts';
import { noTasks } from '../../tools/noTasks.ts';
import { turnOf } from '../../tools/turns.ts';
import type { Way } from '../../tools/waysIn.ts';

/** Brings a file into requests in one way. Throws if it is refused. */
export type Bring = (uri: vscode.Uri) => Promise<unknown>;

export interface WayIn {
  readonly bring: Bring;
  /** The user named the file: a refusal names the rule. Otherwise the file is left out silently, or counted. */
  readonly isNamed: boolean;
  /** It sends the names of files, not their content. */
  readonly isListing?: boolean;
}

const { signal } = new AbortController();
const start = new vscode.Range(0, 0, 2, 0);

/**
 * All ways, each from its entry point in the editor to the gate. `door` receives what would be sent, and nothing else
 * is mocked. `marker` is the content of the file.
 */
export function waysIn(
  door: Dispatch,
  markerOf: (uri: vscode.Uri) => string,
  repository: () => vscode.Uri,
): Readonly<Record<Way, WayIn>> {
  const writing = {
    dispatch: door,
    confirmSend: async () => 'send-masked',
    proposals: { canChange: async () => true },
    instructions: { near: async () => [] },
  } as unknown as Parameters<typeof editCode>[0];
  const send = (parts: readonly (string | Attachment)[], lead: typeof parts = []): Promise<unknown> =>
    door.send(question(parts, lead), async () => 'send-masked', signal);
  const attach = async (source: ContextSource): Promise<unknown> => send((await source.read()).attachments);
  const tool = async (name: string, input: Readonly<Record<string, unknown>>) => {
    const own = ownTools.get(name) ?? assert.fail(name);
    const { text, attachments } = await own.run(input, signal, unchangedFiles, noTasks);
    return send([text, ...attachments]);
  };
  /** An edit that does not fit is refused with the lines of the file that are most like it. */
  const misfit = async (uri: vscode.Uri) => {
    const proposed = new ProposedChanges({
      changes: new ConversationChanges(),
      isAttached: () => true,
      source: () => ({}),
      onDidPropose: () => undefined,
    });
    const text = await readFile(uri.fsPath, 'utf8').catch(() => '');
    const line = text.split('\n').find((one) => one.includes(markerOf(uri))) ?? markerOf(uri);
    const oldString = `${line}\nThe file does not have this line.`;
    const refusal: unknown = await proposed.edit({ path: uri.path, oldString, newString: '' }).catch((error) => error);
    if (!(refusal instanceof ToolRefusal)) throw refusal;
    return send([refusal.words, ...refusal.attachments]);
  };
  const open = (uri: vscode.Uri): Thenable<vscode.TextDocument> => vscode.workspace.openTextDocument(uri);
  const show = async (uri: vscode.Uri): Promise<vscode.TextEditor> =>
    vscode.window.showTextDocument(await open(uri), { preview: true });
  const review = async (targets: readonly ReviewTarget[]): Promise<unknown> => {
    const { requests } = planReview(targets);
    for (const request of requests)
      await door.send(reviewOutgoing(request, ['gdpr'], 'mask'), async () => 'send-masked', signal);
    return undefined;
  };
  const participant = async (value: unknown): Promise<unknown> => {
    const asked = { command: undefined, prompt: 'Why?', references: [{ id: 'a', value }] } as unknown;
    return door.send(
      await outgoingQuestion(asked as Parameters<typeof outgoingQuestion>[0], [], defaultLimits),
      async () => 'send-masked',
      signal,
    );
  };
  const named = (bring: Bring): WayIn => ({ bring, isNamed: true });
  const found = (bring: Bring): WayIn => ({ bring, isNamed: false });
  const listing = (bring: Bring): WayIn => ({ bring, isNamed: false, isListing: true });
  const problemsOf = async (uri: vscode.Uri, read: () => Promise<unknown>): Promise<unknown> => {
    const problems = vscode.languages.createDiagnosticCollection('matrix');
    problems.set(uri, [new vscode.Diagnostic(start, markerOf(uri))]);
    try {
      return await read();
    } finally {
      problems.dispose();
    }
  };
  const symbolAt = (uri: vscode.Uri): vscode.SymbolInformation =>
    new vscode.SymbolInformation(markerOf(uri), vscode.SymbolKind.Function, '', new vscode.Location(uri, start));

  return {
    'attached file': named((uri) => attach(fileSource(uri))),
    'attached selection': named((uri) => attach(fileSource(uri, start))),
    // A file of another name is read by the same function, and is no notebook.
    'attached notebook': named(async (uri) => send([await attachNotebook(uri)])),
    // A path that is not a file is reported as such, before any rule is checked.
    'dropped file': found(async (uri) => attach(await droppedSource(uri.toString()))),
    symbol: named((uri) => attach(symbolSource(symbolAt(uri)))),
    'open editors': found(async (uri) => {
      await show(uri);
      return attach(openEditorsSource());
    }),
    problems: named((uri) => problemsOf(uri, () => attach(problemsSource(uri)))),
    'tool get_problems': found((uri) => problemsOf(uri, () => tool('get_problems', {}))),
    'folder listing': listing((uri) => attach(folderSource(vscode.Uri.joinPath(uri, '..')))),
    'tool list_files': listing((uri) => tool('list_files', { path: vscode.Uri.joinPath(uri, '..').path })),
    'prompt file': found(async (uri) => {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? uri;
      const place = vscode.Uri.joinPath(folder, '.svc');
      await mkdir(place.fsPath, { recursive: true });
      // A prompt of the workspace is a file of this folder, and the folder may be a link.
      symlinkSync(vscode.Uri.joinPath(uri, '..').fsPath, vscode.Uri.joinPath(place, 'prompts').fsPath);
      try {
        return await send((await readPrompts()).map(({ prompt }) => prompt?.text ?? ''));
      } finally {
        await rm(place.fsPath, { recursive: true });
      }
    }),
    'project instructions': found(async (uri) => {
      const file = await readProjectFile(uri, 'AGENTS.md', defaultLimits.fileBytes);
      return file === null || 'problem' in file ? undefined : send([], leadOf([file.attachment]));
    }),
    'current file': named(async (uri) => {
      await show(uri);
      const current = currentFile();
      try {
        await current.follow();
        const { warning } = current.chip ?? {};
        if (warning !== undefined) throw new Error(warning);
        return await send(await current.read());
      } finally {
        current.dispose();
      }
    }),
    'slash command': named(async (uri) => {
      await show(uri);
      const attachments = { keys: [], read: async () => [] };
      const asked = await questionFrom('/explain', { attachments });
      return send([asked.prompt, ...asked.attachments]);
    }),
    'tool read_file': named((uri) => tool('read_file', { path: uri.path, firstLine: 1, lastLine: 2 })),
    'tool edit_file': found(misfit),
    'decisions on changes': found((uri) => problemsOf(uri, () => attach(decisionAbout(uri)))),
    'names of decided files': listing((uri) => attach(decisionAbout(uri))),
    'tool search_text': found((uri) => tool('search_text', { query: markerOf(uri) })),
    'names of proposed files': listing(async (uri) => {
      const file = { uri, path: uri.path, change: 'changed', has: async () => true } as const;
      const { text, attachments } = await withProposed(saying(ownText``), [file]);
      return send([text, ...attachments]);
    }),
    'tool find_symbols': found(async (uri) => {
      const provider = vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: () => [symbolAt(uri)],
      });
      try {
        return await tool('find_symbols', { query: markerOf(uri) });
      } finally {
        provider.dispose();
      }
    }),
    'git diff': found(async () => {
      const { files } = await readDiffs('git', { rootUri: repository() }, 'staged');
      const about = { label: 'diff', uri: repository(), languageId: 'diff' };
      return send(files.map(({ diff }) => attachmentOf({ ok: true, content: diff }, about)));
    }),
    'review of a file': found(async (uri) => review([await targetOf(await open(uri))].filter((one) => one !== null))),
    'review of the workspace': found(async (uri) => review((await readTargets([uri], signal)).targets)),
    'explanation of a finding': named(async (uri) => {
      const shown = {
        range: start,
        finding: { fingerprint: 'f', rule: { framework: 'gdpr' }, message: '', quote: '' },
      };
      const explain = async (prompt: string, attachment: Attachment): Promise<unknown> => send([prompt, attachment]);
      const fixes = new QuickFixes(
        { at: () => [shown] } as unknown as ConstructorParameters<typeof QuickFixes>[0],
        { explain } as unknown as ConstructorParameters<typeof QuickFixes>[1],
      );
      return fixes.explain({ uri: uri.toString(), id: 'f' });
    }),
    explain: named(async (uri) => {
      await show(uri);
      const session = {
        isBusy: false,
        ask: (asked: { attachments: readonly Attachment[] }) => send(asked.attachments),
      };
      return failing(explainCode({ view: { reveal: async () => {} }, session } as never));
    }),
    generate: named(async (uri) => {
      await show(uri);
      return failing(generateCode(writing, { instruction: 'add two numbers' }));
    }),
    edit: named((uri) => failing(editCode(writing, { uri, start: 0, end: 2, instruction: 'rename' }))),
    tests: found((uri) => failing(generateTests(writing, { uri, start: 0, end: 2 }))),
    'fix of a finding': named(async (uri) =>
      failing(fixFinding(writing, await open(uri), { line: 1, message: 'broken' }, 'mend it')),
    ),
    'file of unplaced code': named(async (uri) => {
      const document = await open(uri);
      const block = { info: '', text: 'a();\n' };
      const turn = turnOf({
        answer: block.text,
      });
      const asked = { why: new Misplaced([]), document, target: wholeTarget(document), turn, block };
      return askWholeFile(writing, asked);
    }),
    'related files': found(async (uri) => {
      await open(uri);
      const name = uri.path.slice(uri.path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
      const document = await openUntitled(`import '${name}';\n\n`, 'plaintext');
      return send(await relatedTo(document, [new vscode.Range(0, 0, 2, 0)]));
    }),
    'imported file': found(async (uri) => {
      const folder =
        vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.workspace.workspaceFolders?.[0]?.uri ?? uri;
      const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
      const to = relative(folder.path, vscode.Uri.joinPath(uri, '..').path);
      const importer = vscode.Uri.joinPath(folder, 'importer.ts');
      await vscode.workspace.fs.writeFile(importer, Buffer.from(`import './${to === '' ? name : `${to}/${name}`}';\n`));
      try {
        return await send(await otherFiles(await open(importer)));
      } finally {
        await vscode.workspace.fs.delete(importer);
      }
    }),
    'inline completion': found(async (uri) => {
      const contextReader = { onDidChange: () => new vscode.Disposable(() => {}) };
      const ignored = { onAccepted: async () => undefined, requireEnd: () => undefined };
      const completions = new InlineCompletions({ dispatch: door, contextReader, ...ignored });
      try {
        const context = { triggerKind: vscode.InlineCompletionTriggerKind.Invoke } as vscode.InlineCompletionContext;
        const { token } = new vscode.CancellationTokenSource();
        return await completions.provideInlineCompletionItems(await open(uri), start.end, context, token);
      } finally {
        completions.dispose();
      }
    }),
    'participant file': named((uri) => participant(uri)),
    'participant location': named((uri) => participant(new vscode.Location(uri, start))),
  };
}

/** The user has rejected a change of the file. */
function decisionAbout(uri: vscode.Uri): ContextSource {
  const changes = new ConversationChanges();
  const path = pathOf(uri);
  changes.set.write(path, ['new'], ['old']);
  const change = changes.set.openAt(path) ?? assert.fail(path);
  changes.set.rejected(change);
  changes.noteDecided([change]);
  return decisionsSource(changes);
}

function currentFile(): CurrentFile {
  const pending = { limits: () => defaultLimits, scanner: () => import('../../../src/gate/secrets/scanner.ts') };
  return new CurrentFile({
    ...pending,
    session: { conversation: { id: 'c', createdAt: 0, turns: [] }, onDidChange: () => ({ dispose: () => {} }) },
    attached: new PendingAttachments(pending),
    onDidChangeRules: () => new vscode.Disposable(() => {}),
    logger: { warn: () => {} },
  });
}

function question(parts: readonly (string | Attachment)[], lead: typeof parts): Outgoing {
  return {
    action: 'chat',
    messages: [{ role: 'user', lead, parts, secrets: 'mask' }],
    modelKey: 'svc.model.chat',
    folders: [],
  };
}

/** Throws if the result of a command reports an error. */
async function failing(work: Promise<unknown>): Promise<unknown> {
  const result = await work;
  if (typeof result === 'object' && result !== null && 'ok' in result && result.ok === false) throw abortedError();
  return result;
}
