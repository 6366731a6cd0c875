import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { viewTurn } from '../../../src/features/chat/vscode/turn/viewTurn.ts';
import { FileChanges } from '../../../src/features/tools/vscode/fileChanges.ts';
import { Tasks } from '../../../src/features/tools/vscode/tasks/tasks.ts';
import { createToolboxes } from '../../../src/features/tools/vscode/toolboxes.ts';
import { gitState } from '../../../src/platform/git/api.ts';
import { areToolsEnabled } from '../../../src/platform/settings/toolsEnabled.ts';
import { foldersOf } from '../../../src/session/conversation/conversation.ts';
import type { Turn } from '../../../src/session/conversation/turn.ts';
import { Session } from '../../../src/session/session.ts';
import type { Toolbox, ToolResult } from '../../../src/session/tools/toolbox.ts';
import type { ToolDecision } from '../../../src/session/tools/toolStep.ts';
import { calling } from '../../service/calling.ts';
import { openPolicy } from '../../tools/managedPolicy.ts';
import { toolNamesWithout } from '../../tools/toolInventory.ts';
import { OwnParts } from './ownParts.ts';
import { openStage, type Stage } from './stage.ts';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
const at = (name: string): vscode.Uri => vscode.Uri.joinPath(folder, 'tools', name);
const put = (name: string, text: string): vscode.Uri => {
  const uri = at(name);
  mkdirSync(join(uri.fsPath, '..'), { recursive: true });
  writeFileSync(uri.fsPath, text);
  return uri;
};
const secret = ['AKIA', 'IOSFODNN7ABCDEFG'].join('');

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** The panel's own parts, over a real connection; the test gives the user's consent. */
describe('tools', () => {
  let stage: Stage;
  let parts: OwnParts;
  let session: Session;
  let toolbox: Toolbox;
  let fileChanges: FileChanges;
  let tasks: Tasks;
  let decision: ToolDecision;
  let beforeDecision: () => Promise<void>;

  beforeEach(async () => {
    put('.svcignore', 'hidden/\nplan.md\n');
    put('pay.ts', `export function pay() {\n  return 1;\n}\nexport const id = '${secret}';\n`);
    put('plan.md', 'We pay nobody.\n');
    put('hidden/pay.ts', 'export const pay = 2;\n');
    put('.env', 'PAY=1\n');
    stage = await openStage();
    await stage.set('svc.tools.enabled', true);
    parts = new OwnParts();
    [decision, beforeDecision] = ['once', async () => undefined];
    const { contextReader, dispatch, audited } = parts;
    const note = async (entry: (typeof audited)[number]): Promise<void> => void audited.push(entry);
    fileChanges = new FileChanges();
    tasks = new Tasks(async () => []);
    const open = createToolboxes({
      ...{
        contextReader,
        audit: { note },
        fileChanges,
        proposed: () => undefined,
        buildFiles: () => ({ written: [], accepts: 0 }),
      },
      tasks: async () => tasks,
    });
    toolbox = (await open('conversation', 'ask')) ?? assert.fail('no tools');
    session = new Session(dispatch, async (id, mode) => (areToolsEnabled(contextReader) ? open(id, mode) : null));
    session.onDidChange((event) => {
      if (event.type !== 'turn-changed') return;
      const step = event.turn.answer.steps.find(({ state }) => state === 'asking');
      if (step === undefined) return;
      setImmediate(async () => {
        await beforeDecision();
        session.decideTool(event.turn.id, step.id, step.asked ?? 0, decision);
      });
    });
  });
  afterEach(async () => {
    session.dispose();
    fileChanges.dispose();
    tasks.dispose();
    await parts.client.dispose();
    await stage.close();
    // The folder stays: VS Code may miss the first changes in a new folder.
    for (const name of readdirSync(at('').fsPath)) rmSync(at(name).fsPath, { recursive: true });
  });
  after(() => rmSync(at('').fsPath, { recursive: true }));

  const { signal } = new AbortController();
  const run = (name: string, input: object): Promise<ToolResult> =>
    toolbox.run({ id: 'c', name, input: { ...input } }, signal);
  const textOf = ({ output: { text, attachments } }: ToolResult): string =>
    [text, ...attachments.map((attachment) => attachment.text)].join('\n');
  const whyNot = async (name: string, input: object): Promise<string | null> => {
    const output = await toolbox.whyNot({ id: 'c', name, input: { ...input } });
    return output === null ? null : textOf({ state: 'refused', output });
  };
  const ask = (prompt: string): Promise<Turn> => session.ask({ action: 'chat', prompt, attachments: [] });
  const bodies = (): readonly Body[] => stage.service.chats.map(({ json }) => json as Body);

  it('read_file reads a file or a range of lines, with unsaved changes', async () => {
    // In a separate folder: VS Code saves automatically, possibly after a test has ended.
    const edited = put('../edited/pay.ts', 'export function pay() {\n  return 1;\n}\n');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(edited, new vscode.Position(0, 0), '// new\n');
    await vscode.workspace.applyEdit(edit);
    const whole = await run('read_file', { path: 'edited/pay.ts' });
    assert.equal(whole.state, 'done');
    assert.equal(textOf(whole), '\n1| // new\n2| export function pay() {\n3|   return 1;\n4| }\n');
    const some = await run('read_file', { path: './edited/pay.ts', firstLine: 2, lastLine: 3 });
    assert.equal(textOf(some), '\n2| export function pay() {\n3|   return 1;\n');
    assert.equal(some.output.attachments[0]?.label, 'edited/pay.ts:2-3');
    const absolute = await run('read_file', { path: edited.path });
    assert.equal(absolute.state, 'done');
    assert.equal(absolute.output.attachments[0]?.folder, folder.toString());
    await vscode.workspace.saveAll();
  });

  it('read_file reports what it cannot read', async () => {
    writeFileSync(at('blob.bin').fsPath, Buffer.from(Array.from({ length: 600 }, (_, index) => index % 7)));
    put('long.txt', 'a line\n'.repeat(900_000));
    for (const [path, words] of [
      ['tools/gone.ts', /There is no file/],
      ['tools/hidden', /is a folder/],
      ['tools/blob.bin', /cannot be read as text/],
      ['tools/long.txt', /too large/],
    ] as const) {
      const result = await run('read_file', { path });
      assert.notEqual(result.state, 'done', path);
      assert.match(textOf(result), words);
    }
  });

  it('read_file does not tell the size of an excluded file by another of its names', async () => {
    put('hidden/long.txt', 'a line\n'.repeat(900_000));
    linkSync(at('hidden/long.txt').fsPath, at('name.txt').fsPath);
    const result = await run('read_file', { path: 'tools/name.txt' });
    assert.match(result.output.attachments[0]?.refused ?? '', /hidden/);
    assert.doesNotMatch(textOf(result), /too large|bytes/);
  });

  it('files that may not be sent or lie outside are refused with the reason, before the user is asked', async () => {
    const outside = join(folder.fsPath, '..', 'outside.txt');
    writeFileSync(outside, 'outside');
    symlinkSync(outside, at('link.txt').fsPath);
    symlinkSync(at('.env').fsPath, at('innocent.txt').fsPath);
    try {
      for (const [path, words] of [
        ['tools/plan.md', /excluded by tools\/\.svcignore, line 2: plan\.md/],
        ['tools/hidden/pay.ts', /excluded by tools\/\.svcignore, line 1: hidden\//],
        ['tools/.env', /excluded by a built-in rule/],
        ['tools/innocent.txt', /excluded by a built-in rule/],
        ['tools/link.txt', /not in the workspace/],
        ['../outside.txt', /not in the workspace/],
        ['tools/../../outside.txt', /not in the workspace/],
        [outside, /not in the workspace/],
        ['/etc/passwd', /not in the workspace/],
      ] as const) {
        for (const name of ['read_file', 'get_problems', 'list_files']) {
          assert.match((await whyNot(name, { path })) ?? '', words, `${name} ${path}`);
          const result = await run(name, { path });
          assert.equal(result.state, 'refused', `${name} ${path}`);
          assert.match(textOf(result), words);
        }
      }
    } finally {
      rmSync(outside);
    }
  });

  it('list_files lists the names in a folder, without files that may not be sent', async () => {
    const listed = await run('list_files', { path: 'tools' });
    assert.deepEqual(textOf(listed).trim().split('\n'), [
      'tools/.svcignore',
      'tools/pay.ts',
      '[left out: 3 files and folders that may not be sent]',
    ]);
    const all = await run('list_files', {});
    assert.match(textOf(all), /^\s*(.*\n)*tools\/pay\.ts$/m);
    // The path of a workspace folder may have the user's name in it.
    assert.deepEqual(
      all.output.attachments.map(({ label }) => label),
      ['./'],
    );
  });

  it('list_files, search_text and read_file use the same paths, whatever a file is named', async () => {
    const names = ['a b/#1 [x].ts', 'a b/ü%20.ts', 'a b/deep/er/$y.ts', `tools/twice.ts`];
    const files = names.map((name) => put(`names/${name}`, `// named ${name}\n`));
    try {
      for (const path of [undefined, 'tools', 'tools/names', 'tools/names/a b', './tools/names/', at('names').path]) {
        const listed = textOf(await run('list_files', path === undefined ? {} : { path })).split('\n');
        for (const name of names.filter((each) => path !== 'tools/names/a b' || each.startsWith('a b/'))) {
          const line = listed.find((each) => each.endsWith(name)) ?? assert.fail(`${name} in ${path}`);
          assert.match(textOf(await run('read_file', { path: line })), /^\s*1\| \/\/ named /, line);
          assert.ok(textOf(await run('read_file', { path: line })).includes(`// named ${name}`), line);
        }
      }
      const found = textOf(await run('search_text', { query: '// named', files: 'tools/names/**' }))
        .split('\n')
        .filter((line) => line.includes(':1: '));
      assert.equal(found.length, names.length);
      for (const line of found) {
        const path = line.slice(0, line.indexOf(':1: '));
        assert.match(textOf(await run('read_file', { path })), /\/\/ named /, line);
      }
    } finally {
      for (const uri of files) rmSync(uri.fsPath);
    }
  });

  it('search_text finds lines in files that may be sent', async () => {
    const found = await run('search_text', { query: 'PAY', files: 'tools/**' });
    assert.equal(textOf(found), '[left out: 3 files that may not be sent]\ntools/pay.ts:1: export function pay() {');
    assert.deepEqual(
      found.output.attachments[0]?.covers?.map(({ uri }) => uri),
      [at('pay.ts').toString()],
    );
    assert.match(textOf(await run('search_text', { query: 'nowhere to be found' })), /Nothing was found/);
  });

  it('search_text tells nothing about the content of files that may not be sent', async () => {
    const queries = ['nobody', 'PAY=1', 'pay = 2', 'nowhere to be found'];
    const results = await Promise.all(queries.map((query) => run('search_text', { query, files: 'tools/**' })));
    assert.deepEqual(
      results.map((result) => textOf(result)),
      queries.map(() => 'Nothing was found.\n[left out: 3 files that may not be sent]'),
    );
  });

  it('find_symbols lists symbols with their places, in files that may be sent', async () => {
    const kind = vscode.SymbolKind.Function;
    const symbol = (name: string): vscode.SymbolInformation =>
      new vscode.SymbolInformation('pay', kind, 'bank', new vscode.Location(at(name), new vscode.Position(1, 0)));
    const provider = vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: () => [symbol('pay.ts'), symbol('hidden/pay.ts')],
    });
    try {
      assert.equal(textOf(await run('find_symbols', { query: 'pay' })), '\ntools/pay.ts:2: function pay in bank');
    } finally {
      provider.dispose();
    }
  });

  it('get_problems lists problems of files that may be sent', async () => {
    const problems = vscode.languages.createDiagnosticCollection('tools-test');
    const range = new vscode.Range(1, 2, 1, 3);
    try {
      for (const name of ['pay.ts', 'plan.md']) problems.set(at(name), [new vscode.Diagnostic(range, `of ${name}`)]);
      const all = textOf(await run('get_problems', {}));
      assert.match(all, /tools\/pay\.ts:2:3 error: of pay\.ts/);
      assert.doesNotMatch(all, /plan/);
      assert.match(textOf(await run('get_problems', { path: 'tools/pay.ts' })), /of pay\.ts/);
      problems.clear();
      assert.match(textOf(await run('get_problems', { path: 'tools/pay.ts' })), /There are no problems/);
    } finally {
      problems.dispose();
    }
  });

  it('git_diff shows the changes of files that may be sent', async () => {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder.fsPath }).toString();
    git('init', '--quiet');
    git('add', '--force', 'tools/pay.ts', 'tools/plan.md');
    // Also what other suites changed in the repository.
    git('commit', '--quiet', '--all', '--message', 'tools');
    await vscode.extensions.getExtension('vscode.git')?.exports.getAPI(1).openRepository(folder);
    assert.equal((await gitState()).is, 'ready');
    put('pay.ts', 'export const changed = 1;\n');
    put('plan.md', 'Another plan.\n');
    const diff = textOf(await run('git_diff', {}));
    assert.match(diff, /\+export const changed = 1;/);
    assert.doesNotMatch(diff, /plan/);
    git('add', 'tools/pay.ts');
    assert.match(textOf(await run('git_diff', { staged: true })), /\+export const changed = 1;/);
  });

  it('a long result is cut, with a note to the model', async () => {
    put('long.txt', 'a line of a long file\n'.repeat(10_000));
    const { output } = await run('read_file', { path: 'tools/long.txt' });
    assert.ok(Buffer.byteLength(output.attachments[0]?.text ?? '') <= 64 * 1024);
    // Each line has its number in front.
    const bytes = 220_000 + Array.from({ length: 10_000 }, (_, index) => `${index + 1}| `).join('').length;
    assert.equal(output.cutFrom, bytes);
    assert.ok(output.text.startsWith(`[cut: the result has ${bytes} bytes`));
  });

  it('a call returns the file’s content with secrets masked, and everything is recorded', async () => {
    const turn = await ask('Please read the file tools/pay.ts');
    assert.equal(turn.state.status, 'complete');
    assert.match(turn.answer.text, /export function pay/);
    assert.deepEqual(
      turn.answer.steps.map(({ name, input, state }) => [name, input, state]),
      [['read_file', { path: 'tools/pay.ts' }, 'done']],
    );
    const [first, second] = bodies();
    assert.equal(first?.tools?.length, 6);
    assert.deepEqual(
      second?.messages.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    );
    assert.match(second?.messages[2]?.content ?? '', /tools\/pay\.ts[\s\S]*\[masked: /);
    assert.ok(!stage.service.chats.some(({ body }) => body.includes(secret)));
    assert.deepEqual(
      parts.audited.map((entry) => [
        entry.kind,
        'files' in entry ? entry.files : '',
        'decision' in entry ? entry.decision : '',
      ]),
      [
        ['request-intent', 0, ''],
        ['request-outcome', '', ''],
        ['tool-call', '', 'once'],
        ['request-intent', 1, ''],
        ['request-outcome', '', ''],
      ],
    );
    assert.ok(!JSON.stringify(parts.audited).includes('pay.ts'));
    assert.equal(turn.lastRequest?.masked, 1);
  });

  it('a file that is excluded after it was read is left out of the next request', async () => {
    await ask('Please read the file tools/pay.ts');
    put('.svcignore', '*.ts\n');
    await ask('And what do you think?');
    const last = bodies()
      .at(-1)
      ?.messages.find(({ role }) => role === 'tool');
    assert.equal(last?.content, '[left out: tools/pay.ts]');
  });

  it('a denied call and an excluded file never reach the service, and the turn continues', async () => {
    decision = 'deny';
    assert.equal((await ask('Please read the file tools/pay.ts')).answer.steps[0]?.state, 'denied');
    decision = 'once';
    const refused = await ask('Please read the file tools/plan.md');
    assert.deepEqual([refused.state.status, refused.answer.steps[0]?.state], ['complete', 'refused']);
    assert.ok(!stage.service.chats.some(({ body }) => /export function|pay nobody/.test(body)));
  });

  it('the same call four times stops the turn with a card, and Continue continues', async () => {
    decision = 'conversation';
    const one = { path: 'tools/pay.ts', firstLine: 1 };
    const other = { firstLine: 1, path: 'tools/pay.ts' };
    stage.service.enqueue(...[one, other, one, other].map((input, index) => calling(`c${index}`, 'read_file', input)));
    const turn = await ask('What is the fee?');
    assert.deepEqual(
      turn.answer.steps.map(({ state }) => state),
      ['done', 'refused', 'refused', 'capped'],
    );
    const view = viewTurn(turn);
    const card = view.status === 'interrupted' ? view.card : undefined;
    assert.equal(card?.title, 'Stopped: the model made the same tool call four times');
    assert.equal(card?.actions[0]?.id, 'continue');
    assert.deepEqual(
      parts.audited.flatMap((entry) => (entry.kind === 'tool-call' ? [`${entry.decision} ${entry.outcome}`] : [])),
      ['conversation done', 'none refused', 'none refused', 'none capped'],
    );
    const continued = await session.continue(turn.id);
    assert.equal(continued?.state.status, 'complete');
    assert.deepEqual(
      bodies()
        .at(-1)
        ?.messages.map(({ role }) => role),
      ['user', ...['assistant', 'tool', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'tool']],
    );
  });

  it('the same call is run again after the user has changed a file', async () => {
    const edited = put('../edited/fee.ts', 'export const fee = 1;\n');
    const document = await vscode.workspace.openTextDocument(edited);
    beforeDecision = async () => {
      beforeDecision = async () => undefined;
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), '// new\n');
      await vscode.workspace.applyEdit(edit);
    };
    const input = { path: 'edited/fee.ts' };
    stage.service.enqueue(...['c0', 'c1', 'c2'].map((id) => calling(id, 'read_file', input)));
    const turn = await ask('What is the fee?');
    assert.deepEqual(
      turn.answer.steps.map(({ state }) => state),
      ['done', 'done', 'refused'],
    );
    await vscode.workspace.saveAll();
  });

  it('each request of a turn has the headers of its moment', async () => {
    beforeDecision = () => stage.set('svc.compliance.securityLevel', 'maximum');
    await ask('Please read the file tools/pay.ts');
    assert.deepEqual(
      stage.service.chats.map(({ headers }) => headers['svc-security-level']),
      [undefined, 'maximum'],
    );
  });

  it('are offered if the user’s own settings allow it, and no workspace or administrator forbids it', async () => {
    const { Workspace } = vscode.ConfigurationTarget;
    const isOffered = async (): Promise<boolean> => {
      await ask('What can you do?');
      return bodies().at(-1)?.tools !== undefined;
    };
    assert.equal(await isOffered(), true);
    await stage.set('svc.tools.enabled', false, Workspace);
    assert.equal(await isOffered(), false);
    await stage.set('svc.tools.enabled', true, Workspace);
    await stage.set('svc.tools.enabled', undefined);
    assert.equal(await isOffered(), false);
    await stage.set('svc.tools.enabled', true);
    parts.policy = { ...openPolicy, disabledFeatures: ['tools'] };
    assert.equal(await isOffered(), false);
  });

  it('one that the administrator’s rules forbid is neither offered nor run, even after it was offered', async () => {
    parts.policy = { ...openPolicy, tools: { allow: ['read_file', 'list_files'], deny: ['list_*'] } };
    assert.match((await whyNot('list_files', {})) ?? '', /turned off/);
    await ask('What can you do?');
    assert.deepEqual(
      bodies()
        .at(-1)
        ?.tools?.map((tool) => tool.function.name),
      ['read_file'],
    );
  });

  it('tools ask for approval according to the strictest value of all scopes and of the policy', async () => {
    const { Workspace } = vscode.ConfigurationTarget;
    const mustAsk = (name: string): boolean => toolbox.mustAsk({ id: 'c', name, input: {} });
    const asks = (): readonly boolean[] => [
      mustAsk('git_diff'),
      mustAsk('test_weather_report'),
      toolbox.asksEach('read_file'),
    ];
    assert.deepEqual(asks(), [true, true, false]);
    // A workspace cannot be less strict than the default.
    await stage.set('svc.tools.approval', 'reads', Workspace);
    assert.deepEqual(asks(), [true, true, false]);
    await stage.set('svc.tools.approval', 'reads');
    assert.deepEqual(asks(), [false, true, false]);
    const read = await ask('Please read the file tools/pay.ts');
    assert.deepEqual(
      read.answer.steps.map(({ state, allowed }) => [state, allowed]),
      [['done', undefined]],
    );
    // What may not be sent is refused as before.
    const hidden = await ask('Please read the file tools/plan.md');
    assert.deepEqual(
      hidden.answer.steps.map(({ state }) => state),
      ['refused'],
    );
    const recorded = parts.audited.flatMap((entry) => (entry.kind === 'tool-call' ? [entry.decision] : []));
    assert.deepEqual(recorded, ['none', 'none']);
    parts.policy = { ...openPolicy, tools: { approval: 'conversation' } };
    assert.deepEqual(asks(), [true, true, false]);
    parts.policy = { ...openPolicy, tools: { approval: 'each' } };
    assert.deepEqual(asks(), [true, true, true]);
    parts.policy = openPolicy;
    await stage.set('svc.tools.approval', 'each', Workspace);
    assert.deepEqual(asks(), [true, true, true]);
    decision = 'conversation';
    const each = await ask('Please read the file tools/pay.ts');
    assert.deepEqual(
      each.answer.steps.map(({ allowed }) => allowed),
      ['once'],
    );
  });

  it('no tool is offered while a scope has an unknown value for the approval', async () => {
    await stage.set('svc.tools.approval', 'never', vscode.ConfigurationTarget.Workspace);
    assert.match((await whyNot('read_file', { path: 'tools/pay.ts' })) ?? '', /turned off/);
    await ask('What can you do?');
    assert.equal(bodies().at(-1)?.tools, undefined);
  });

  it('a turn stops after as many calls as the policy allows', async () => {
    parts.policy = { ...openPolicy, tools: { maxCalls: 1 } };
    const turn = await ask('Please read the file tools/pay.ts');
    assert.deepEqual([turn.state.status, turn.answer.steps.length], ['interrupted', 1]);
  });

  it('one that is turned off is neither offered nor run, even if it was allowed for the conversation', async () => {
    decision = 'conversation';
    await ask('Please read the file tools/pay.ts');
    await stage.set('svc.tools.disabled', ['read_file'], vscode.ConfigurationTarget.Workspace);
    assert.match((await whyNot('read_file', { path: 'tools/pay.ts' })) ?? '', /turned off/);
    await ask('What can you do?');
    assert.deepEqual(
      bodies()
        .at(-1)
        ?.tools?.map((tool) => tool.function.name),
      toolNamesWithout('read_file'),
    );
    // A request never has an empty list of tools.
    await stage.set(
      'svc.tools.disabled',
      bodies()[0]?.tools?.map((tool) => tool.function.name),
    );
    await ask('What can you do?');
    assert.equal(bodies().at(-1)?.tools, undefined);
  });

  it('a model that rejects tools is asked without them, and remembered', async () => {
    stage.service.setScenario('no-tools');
    const turn = await ask('Please read the file tools/pay.ts');
    assert.deepEqual([turn.state.status, turn.answer.isWithoutTools, turn.answer.steps], ['complete', true, []]);
    await ask('And now?');
    assert.deepEqual(
      bodies().map(({ tools }) => tools?.length),
      [6, undefined, undefined],
    );
  });

  it('a tool that the service refuses is left out and named, and the others are offered', async () => {
    // Another model: what a service refuses is remembered for each of them.
    await stage.set('svc.model.chat', 'svc/compliance-assistant');
    stage.service.setScenario('bad-tool');
    const turn = await ask('What is this?');
    assert.deepEqual(
      [turn.state.status, turn.answer.isWithoutTools, turn.state.memory.sentForm?.tools],
      ['complete', undefined, ['list_files']],
    );
    await ask('And now?');
    assert.deepEqual(
      bodies().map(({ tools }) => tools?.length),
      [6, 5, 5],
    );
  });

  describe('of other extensions', () => {
    const names = (): readonly (string | undefined)[] | undefined =>
      bodies()
        .at(-1)
        ?.tools?.slice(6)
        .map((tool) => tool.function.name);

    before(async () => {
      await vscode.extensions.getExtension('test.other')?.activate();
    });

    it('are offered by name, and only those', async () => {
      await ask('What can you do?');
      assert.deepEqual(names(), []);
      await stage.set('svc.tools.allowed', ['test_weather_report', 'unknown', 'read_file']);
      await ask('What can you do?');
      assert.deepEqual(names(), ['test_weather_report']);
    });

    it('require the user’s consent, run, and have their results masked', async () => {
      await stage.set('svc.tools.allowed', ['test_weather_report']);
      const turn = await ask('Give me a test weather report for "Kiel"');
      assert.deepEqual(
        turn.answer.steps.map(({ input, state, allowed }) => [input, state, allowed]),
        [[{ place: 'Kiel' }, 'done', 'once']],
      );
      assert.match(turn.answer.text, /Rain in Kiel\. key = \[masked: /);
    });

    it('belong to all folders, and have their whole result scanned before it is cut', async () => {
      await stage.set('svc.tools.allowed', ['test_weather_report']);
      const turn = await ask('Give me a test weather report for "everywhere"');
      const [step] = turn.answer.steps ?? [];
      assert.equal(step?.state, 'done');
      assert.ok(foldersOf([turn]).includes(folder.toString()));
      assert.ok(turn.question.places?.includes(folder.toString()));
      const sent = stage.service.chats.map(({ body }) => body).join('\n');
      assert.match(sent, /x x \[masked: /);
      assert.doesNotMatch(sent, /ghp_a1/);
    });

    it('return no lines of a key, no token with a color inside it, and none in a link', async () => {
      await stage.set('svc.tools.allowed', ['test_weather_report']);
      const turn = await ask('Give me a test weather report for "the vault"');
      assert.equal(turn.answer.steps[0]?.state, 'done');
      const sent = stage.service.chats.map(({ body }) => body).join('\n');
      assert.match(sent, /\[masked: private-key /);
      assert.equal(sent.match(/\[masked: github-token /g)?.length, 2);
      assert.doesNotMatch(sent, /Ab3dEfGh|a1B2a1B2/);
    });

    it('may have changed what the same call of ours found before', async () => {
      await stage.set('svc.tools.allowed', ['test_weather_report']);
      const read = { path: 'tools/pay.ts' };
      const report = { place: 'Kiel' };
      stage.service.enqueue(
        calling('c0', 'read_file', read),
        calling('c1', 'read_file', read),
        calling('c2', 'test_weather_report', report),
        calling('c3', 'read_file', read),
      );
      const turn = await ask('What is the fee?');
      assert.deepEqual(
        turn.answer.steps.map(({ state }) => state),
        ['done', 'refused', 'done', 'done'],
      );
    });

    it('report their failure to the model', async () => {
      await stage.set('svc.tools.allowed', ['test_weather_report']);
      const turn = await ask('Give me a test weather report for "nowhere"');
      assert.equal(turn.answer.steps[0]?.state, 'failed');
      assert.match(turn.answer.text, /There is no such place/);
    });

    it('are stopped with the turn', async () => {
      await stage.set('svc.tools.allowed', ['test_endless_wait']);
      const other = await vscode.extensions
        .getExtension<{ waits(): { begun: number; cancelled: number } }>('test.other')
        ?.activate();
      const until = async (what: 'begun' | 'cancelled'): Promise<void> => {
        while (other?.waits()[what] === 0) await new Promise(setImmediate);
      };
      session.onDidChange((event) => {
        if (event.type === 'turn-changed' && event.turn.answer.steps[0]?.state === 'running')
          void until('begun').then(() => session.stop());
      });
      const turn = await ask('Do the test endless wait');
      assert.deepEqual([turn.state.status, turn.answer.steps[0]?.state], ['stopped', 'stopped']);
      await until('cancelled');
    });
  });
});
