import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { Draft } from '../../../src/features/edits/common/draft.ts';
import { Acceptance } from '../../../src/features/edits/vscode/changes/acceptance.ts';
import { Changes } from '../../../src/features/edits/vscode/changes/changes.ts';
import { singleChange } from '../../../src/features/edits/vscode/changes/singleChange.ts';
import { wholeTarget } from '../../../src/features/edits/vscode/target.ts';
import { FileChanges } from '../../../src/features/tools/vscode/fileChanges.ts';
import { Tasks } from '../../../src/features/tools/vscode/tasks/tasks.ts';
import { createToolboxes } from '../../../src/features/tools/vscode/toolboxes.ts';
import { attachFile } from '../../../src/platform/sources/attach.ts';
import { Session } from '../../../src/session/session.ts';
import type { ToolDecision, ToolStep } from '../../../src/session/tools/toolStep.ts';
import type { ChatBody } from '../../service/chatBody.ts';
import type { PlayedAnswer } from '../../service/played.ts';
import { openPolicy } from '../../tools/managedPolicy.ts';
import { makePipe, removePipe } from '../../tools/pipe.ts';
import { OwnParts } from './ownParts.ts';
import { key, openStage, type Stage, until } from './stage.ts';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
const root = folder.fsPath;
// Each test has its own folder: VS Code keeps the text of a file for a while after it was deleted.
let count = 0;
const dir = (): string => `task${count}`;
const at = (name: string): string => join(root, dir(), name);
const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const tasksFile = join(root, '.vscode', 'tasks.json');
const secret = ['AKIA', 'IOSFODNN7ABCDEFG'].join('');

type Call = NonNullable<PlayedAnswer['calls']>[number];
const runTask = (name = 'test'): Call => ({ name: 'run_task', input: { name } });

/** Writes a tasks.json file with a program of Node, or a shell's command line. */
const program = (script: string, more: object = {}): object => ({
  ...{ label: 'test', type: 'process', command: process.execPath, args: ['-e', script], ...more },
});
const putTasks = (...tasks: readonly object[]): void => put(tasksFile, JSON.stringify({ version: '2.0.0', tasks }));

/** The state of a process as `ps` shows it; empty if it is gone, and Z if only its entry is left. */
const stateOf = (pid: number): Promise<string> =>
  new Promise((resolve) => execFile('ps', ['-o', 'stat=', '-p', String(pid)], (_, output) => resolve(output.trim())));
/** Resolves when a process has ended; the test times out otherwise. */
const ended = async (pid: number): Promise<void> => {
  for (let state = await stateOf(pid); state !== '' && !state.startsWith('Z'); ) state = await stateOf(pid);
};

/** The panel's own parts, over a real connection; the test gives the user's consent. */
describe('run_task', function () {
  this.timeout(60_000);
  let stage: Stage;
  let parts: OwnParts;
  let session: Session;
  let changes: Changes;
  let acceptance: Acceptance;
  let owned: vscode.Disposable;
  let before: string | null;
  let decision: ToolDecision;
  let beforeDecision: (step: ToolStep) => Promise<void>;
  let questions: string[];

  beforeEach(async () => {
    count += 1;
    before = existsSync(tasksFile) ? readFileSync(tasksFile, 'utf8') : null;
    stage = await openStage();
    for (const name of ['svc.tools.enabled', 'svc.changes.enabled', 'svc.tools.runTask']) await stage.set(name, true);
    parts = new OwnParts();
    [decision, beforeDecision, questions] = ['once', async () => undefined, []];
    const { contextReader, dispatch, audited } = parts;
    const note = async (entry: (typeof audited)[number]): Promise<void> => void audited.push(entry);
    const [fileChanges, tasks] = [new FileChanges(), new Tasks(async () => [key])];
    acceptance = new Acceptance({
      audit: { record: note, note },
      onAccepted: async () => undefined,
      isAuditRequired: () => false,
      conversation: () => session.conversation.id,
    });
    const open = createToolboxes({
      ...{ contextReader, audit: { note }, fileChanges },
      proposed: (id) => changes.proposedIn(id),
      buildFiles: () => acceptance.buildFiles,
      tasks: async () => tasks,
    });
    session = new Session(dispatch, open);
    session.selectMode('change');
    changes = new Changes({
      session,
      proposals: { open: async () => undefined, refresh: async () => undefined },
      acceptance,
      policy: contextReader,
    });
    session.onDidChange((event) => {
      if (event.type !== 'turn-changed') return;
      const step = event.turn.answer.steps.find(({ state }) => state === 'asking');
      if (step === undefined) return;
      setImmediate(async () => {
        questions.push(step.question ?? '');
        await beforeDecision(step);
        session.decideTool(event.turn.id, step.id, step.asked ?? 0, decision);
      });
    });
    owned = vscode.Disposable.from(session, changes, fileChanges, tasks);
  });
  afterEach(async () => {
    owned.dispose();
    await parts.client.dispose();
    await stage.close();
    rmSync(at(''), { recursive: true, force: true });
    rmSync(join(root, '.vscode'), { recursive: true, force: true });
    if (before !== null) put(tasksFile, before);
  });

  /** Asks a question; the model makes these calls, one in each round. Returns the results of its calls. */
  const ask = async (files: readonly string[], ...calls: readonly Call[]): Promise<readonly string[]> => {
    const left = [...calls];
    stage.service.play(() => {
      const call = left.shift();
      return call === undefined ? { text: 'Please check it.' } : { calls: [call] };
    });
    const attachments = await Promise.all(
      files.map((file) => attachFile(vscode.Uri.file(file), undefined, { outside: 'refuse' })),
    );
    const { answer } = await session.ask({ action: 'chat', prompt: 'Please test it.', attachments });
    assert.deepEqual(left, [], 'each call was asked for');
    return answer.steps.map(({ output }) =>
      [output?.text ?? '', ...(output?.attachments ?? []).map(({ text }) => text)].join('\n'),
    );
  };
  /** Accepts the diff of a single file, such as one of Apply to File. */
  const acceptOne = async (name: string, line: string): Promise<void> => {
    const document = await vscode.workspace.openTextDocument(at(name));
    const draft = new Draft(document.getText(), []);
    draft.complete([line, '']);
    const about = { name, languageId: 'plaintext', source: {} };
    const owned = singleChange({ target: wholeTarget(document), draft, ...about });
    assert.equal(await acceptance.acceptHunks(owned, draft.hunks), '');
  };
  const sentTools = (): readonly string[] => {
    const { json } = stage.service.chats.at(-1) ?? assert.fail('nothing was sent');
    const { tools = [] } = json as { readonly tools?: readonly { readonly function: { readonly name: string } }[] };
    return tools.map((tool) => tool.function.name);
  };
  /** The result of the last call, as it was sent. */
  const sentResult = (): string => {
    const { json } = stage.service.chats.at(-1) ?? assert.fail('nothing was sent');
    const { messages } = json as ChatBody;
    return messages.findLast(({ role }) => role === 'tool')?.content ?? assert.fail('no result was sent');
  };

  it('shows a failing test to the model, and that it passes after its edit was accepted', async () => {
    put(at('sum.mjs'), 'export const sum = (a, b) => a - b;\n');
    put(at('test.mjs'), "import { sum } from './sum.mjs';\nif (sum(1, 2) !== 3) throw new Error('wrong sum');\n");
    const script = join(dir(), 'test.mjs');
    putTasks({ label: 'test', type: 'shell', command: `"${process.execPath}" ${script}` });
    const edit = {
      name: 'edit_file',
      input: { path: `${dir()}/sum.mjs`, oldString: 'a - b', newString: 'a + b' },
    };
    const [failed = '', proposed = '', again = ''] = await ask([at('sum.mjs')], runTask(), edit, runTask());
    assert.match(failed, /^Exit code 1\.\n[\s\S]*Error: wrong sum/);
    assert.match(proposed, /^Proposed, not written/);
    assert.match(again, /^Exit code 1\.\nFiles with proposed changes: 1\. They are not written/);
    await changes.decideAll('accept');
    assert.match((await ask([], runTask())).join(), /^Exit code 0\./);
    const line = `"${process.execPath}" ${script}\nRun by the shell in ${root}`;
    assert.deepEqual(questions, [line, line, line]);
    const records = parts.audited.flatMap((entry) =>
      entry.kind === 'tool-call' ? [[entry.tool, entry.decision]] : [],
    );
    assert.deepEqual(records, [
      ['run_task', 'once'],
      ['edit_file', 'none'],
      ['run_task', 'once'],
      ['run_task', 'once'],
    ]);
    assert.ok(!JSON.stringify(parts.audited).includes('test.mjs'));
  });

  it('runs nothing that the model makes up: it can only name a task', async () => {
    const mark = at('ran');
    putTasks(program(`require('fs').writeFileSync(${JSON.stringify(mark)}, '')`));
    for (const name of ['../test', 'test; touch x', './test', 'TEST', '__proto__', 'constructor', `test\u202e`])
      assert.match((await ask([], runTask(name))).join(), /^Refused: there is no task with this label/, name);
    const args = { name: 'run_task', input: { name: 'none', command: 'touch x', args: ['x'] } };
    assert.match((await ask([], args)).join(), /^Refused: there is no task/);
    assert.deepEqual([questions, existsSync(mark)], [[], false]);
  });

  it('is not run if the user denies it, and not allowed for the conversation', async () => {
    const mark = at('ran');
    putTasks(program(`require('fs').appendFileSync(${JSON.stringify(mark)}, 'x')`));
    mkdirSync(at(''));
    decision = 'deny';
    assert.match((await ask([], runTask())).join(), /did not allow/);
    assert.equal(existsSync(mark), false);
    decision = 'conversation';
    await ask([], runTask());
    await ask([], runTask());
    assert.deepEqual([questions.length, readFileSync(mark, 'utf8')], [3, 'xx']);
  });

  it('is asked about again if it changes while the user is asked, and its difference is shown', async () => {
    const mark = at('ran');
    putTasks(program('', { args: ['--version'] }));
    assert.match((await ask([], runTask())).join(), /^Exit code 0\.\nv\d/);
    beforeDecision = async () => {
      beforeDecision = async () => {
        decision = 'deny';
      };
      putTasks(program(`require('fs').writeFileSync(${JSON.stringify(mark)}, '')`, { options: { env: { A: '1' } } }));
    };
    // The user allows the first one, and denies the changed one.
    const [denied = ''] = await ask([], runTask());
    assert.match(denied, /did not allow/);
    const [first = '', second, third = '', ...more] = questions;
    assert.deepEqual(more, []);
    assert.equal(second, first);
    assert.match(
      third,
      /\nVariable A=1\n\nThis task has changed since you allowed it:\n- .* --version\n\+ .* -e .*ran.*\n\+ Variable A=1$/,
    );
    assert.equal(existsSync(mark), false);
  });

  it('is not run again by the command of VS Code that runs the last task again', async () => {
    const mark = at('ran');
    mkdirSync(at(''));
    putTasks(program(`require('fs').appendFileSync(${JSON.stringify(mark)}, 'x')`));
    let ends = 0;
    const twice = until(vscode.tasks.onDidEndTask, () => {
      ends += 1;
      // It is called at once, too.
      return ends === 3;
    });
    await ask([], runTask());
    await vscode.commands.executeCommand('workbench.action.tasks.reRunTask');
    await twice;
    assert.equal(readFileSync(mark, 'utf8'), 'x');
  });

  it('tells which accepted changes can run in a build', async () => {
    put(at('build.sh'), 'echo 1\n');
    putTasks(program(''));
    const edit = { name: 'edit_file', input: { path: `${dir()}/build.sh`, oldString: 'echo 1', newString: 'echo 2' } };
    await ask([at('build.sh')], edit);
    await changes.decideAll('accept');
    await ask([], runTask());
    assert.match(questions[0] ?? '', new RegExp(`\nAccepted changes that can run in a build: ${dir()}/build.sh$`));
  });

  it('tells which accepted files decide what runs, also under another name of theirs', async () => {
    put(at('build.sh'), 'echo 1\n');
    put(at('run.sh'), 'echo 1\n');
    put(at('vite.config.ts'), 'echo 1\n');
    put(at('plain.txt'), 'echo 1\n');
    symlinkSync(at('build.sh'), at('notes.txt'));
    linkSync(at('run.sh'), at('other.txt'));
    putTasks(program(''));
    for (const name of ['vite.config.ts', 'notes.txt', 'plain.txt']) await acceptOne(name, 'echo 2');
    const edit = { name: 'edit_file', input: { path: `${dir()}/other.txt`, oldString: 'echo 1', newString: 'echo 2' } };
    await ask([at('other.txt')], edit);
    await changes.decideAll('accept');
    await ask([], runTask());
    const named = ['vite.config.ts', 'notes.txt', 'other.txt'].map((name) => `${dir()}/${name}`).join(', ');
    assert.equal(questions[0]?.split('\n').at(-1), `Accepted changes that can run in a build: ${named}`);
  });

  it('is asked about again if more files that can run in a build are accepted while the user is asked', async () => {
    const mark = at('ran');
    put(at('build.sh'), 'echo 1\n');
    putTasks(program(`require('fs').appendFileSync(${JSON.stringify(mark)}, 'x')`));
    beforeDecision = async () => {
      beforeDecision = async () => {
        decision = 'deny';
      };
      await acceptOne('build.sh', 'echo 2');
    };
    const [denied = ''] = await ask([], runTask());
    assert.match(denied, /did not allow/);
    const [first = '', second = '', ...more] = questions;
    assert.deepEqual([more, existsSync(mark)], [[], false]);
    assert.equal(second, `${first}\n\nAccepted changes that can run in a build: ${dir()}/build.sh`);
    // A document that is open is not saved.
    assert.equal((await vscode.workspace.openTextDocument(at('build.sh'))).getText(), 'echo 2\n');
    assert.equal(await acceptance.undo(), true);
    await ask([], runTask());
    assert.equal(questions.at(-1), first);
  });

  it('is asked about again for each accept of a file that the question already names', async () => {
    const mark = at('ran');
    put(at('build.sh'), 'echo 1\n');
    putTasks(program(`require('fs').appendFileSync(${JSON.stringify(mark)}, 'x')`));
    await acceptOne('build.sh', 'echo 2');
    const left: (() => Promise<void>)[] = [
      () => acceptOne('build.sh', 'echo 3'),
      async () => {
        assert.equal(await acceptance.undo(), true);
        await acceptOne('build.sh', 'echo 4');
      },
      async () => {
        decision = 'deny';
      },
    ];
    beforeDecision = async () => left.shift()?.();
    const [denied = ''] = await ask([], runTask());
    assert.match(denied, /did not allow/);
    assert.equal(existsSync(mark), false);
    const [first = '', ...others] = questions;
    assert.match(first, new RegExp(`: ${dir()}/build.sh$`));
    const since = (count: number): string =>
      `${first}\nSuch changes that you accepted since you were first asked: ${count}`;
    assert.deepEqual(others, [since(1), since(2)]);
  });

  it('gives the end of ten megabytes of output, without colors, and with secrets masked', async () => {
    const script = `
      process.stdout.write(('\\u001b[31ma line of output\\u001b[0m\\r\\n').repeat(400000));
      console.log('id = ${secret.slice(0, 4)}' + '${secret.slice(4)}');
      console.log('\\u001b]0;title\\u0007the end');`;
    putTasks(program(script));
    const [result = ''] = await ask([], runTask());
    assert.match(result, /^Exit code 0\.\nOnly the end of the output is here\.\na line of output\n/);
    assert.ok(result.includes(`id = ${secret}`) && result.includes('the end'));
    assert.ok(Buffer.byteLength(result) < 17 * 1024);
    assert.match(sentResult(), /a line of output\n[\s\S]*\[masked: /);
    assert.ok(!stage.service.chats.some(({ body }) => body.includes(secret) || body.includes('\\u001b')));
  });

  it('does not send an excluded file that the task prints', async () => {
    const lines = [
      'the orders of the northern warehouse',
      'the returns of the southern warehouse',
      'the invoices of the east',
    ];
    const text = lines.map((line) => `WHERE=${line} are kept in the cellar behind the door\n`).join('');
    put(at('.svcignore'), 'plan.txt\n');
    put(at('plan.txt'), text);
    putTasks({ label: 'test', type: 'shell', command: 'cat', args: [join(dir(), 'plan.txt')] });
    const [result = ''] = await ask([], runTask());
    assert.ok(result.includes('northern warehouse'), 'the task has printed it');
    assert.ok(!stage.service.chats.some(({ body }) => body.includes('warehouse')));
  });

  it('has an environment without the key and the variables of VS Code', async () => {
    const [named, other] = [process.env.SVC_API_KEY, 'SVC_TEST_OTHER_KEY'];
    Object.assign(process.env, { SVC_API_KEY: key, [other]: `Bearer ${key}`, SVC_TEST_KEPT: '1' });
    try {
      putTasks(program('console.log(JSON.stringify(Object.keys(process.env)))', { options: { env: { MINE: '2' } } }));
      const names = JSON.parse((await ask([], runTask())).join().split('\n')[1] ?? '') as readonly string[];
      assert.deepEqual(
        names.filter((name) => name === other || /^(?:SVC_API_KEY|VSCODE_|ELECTRON_)/.test(name)),
        [],
      );
      for (const name of ['PATH', 'SVC_TEST_KEPT', 'MINE']) assert.ok(names.includes(name), name);
    } finally {
      for (const name of [other, 'SVC_TEST_KEPT']) delete process.env[name];
      if (named === undefined) delete process.env.SVC_API_KEY;
      else process.env.SVC_API_KEY = named;
    }
  });

  it('ends with all that it has started when the turn is stopped, even if they ignore SIGTERM', async () => {
    mkdirSync(at(''));
    const pids = at('pids');
    const note = `require('fs').appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n');`;
    const child = `process.on('SIGTERM', () => {}); ${note} console.log('ready'); setInterval(() => {}, 1000);`;
    const script = `process.on('SIGTERM', () => {}); ${note}
      require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { detached: true, stdio: 'inherit' });`;
    putTasks(program(script));
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, `${dir()}/pids`));
    const both = (): readonly number[] =>
      existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : [];
    const started = new Promise<void>((resolve) => {
      const look = (): void => {
        if (both().length === 2) resolve();
      };
      watcher.onDidCreate(look);
      watcher.onDidChange(look);
    });
    const asking = ask([], runTask());
    await started;
    watcher.dispose();
    session.stop();
    await asking.catch(() => undefined);
    for (const pid of both()) await ended(pid);
    assert.equal(session.conversation.turns.at(-1)?.answer.steps[0]?.state, 'stopped');
  });

  it('is not read over a link out of the workspace, nor if its file is excluded', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    writeFileSync(join(outside, 'tasks.json'), JSON.stringify({ tasks: [program('')] }));
    try {
      mkdirSync(dirname(tasksFile), { recursive: true });
      rmSync(tasksFile, { force: true });
      symlinkSync(join(outside, 'tasks.json'), tasksFile);
      assert.match((await ask([], runTask())).join(), /^Refused: this path is not in the workspace/);
      rmSync(tasksFile);
      makePipe(tasksFile);
      assert.match((await ask([], runTask())).join(), /^Refused: tasks\.json is not valid/);
      removePipe(tasksFile);
      putTasks(program(''));
      put(join(root, '.vscode', '.svcignore'), 'tasks.json\n');
      assert.match((await ask([], runTask())).join(), /^Refused: the content of this path is not sent\./);
      assert.deepEqual(questions, []);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('is not offered for a plan, which runs nothing', async () => {
    for (const mode of ['ask', 'plan', 'change'] as const) {
      session.selectMode(mode);
      await ask([]);
      assert.equal(sentTools().includes('run_task'), mode !== 'plan', mode);
    }
  });

  it('is offered if the user’s own settings allow it, and no workspace or administrator forbids it', async () => {
    const { Workspace } = vscode.ConfigurationTarget;
    const isOffered = async (): Promise<boolean> => {
      await ask([]);
      return sentTools().includes('run_task');
    };
    assert.equal(await isOffered(), true);
    await stage.set('svc.tools.runTask', false, Workspace);
    assert.equal(await isOffered(), false);
    await stage.set('svc.tools.runTask', true, Workspace);
    await stage.set('svc.tools.runTask', undefined);
    assert.equal(await isOffered(), false);
    assert.match((await ask([], runTask())).join(), /^Refused: no tool of this name was offered/);
    await stage.set('svc.tools.runTask', true);
    parts.policy = { ...openPolicy, disabledFeatures: ['tasks'] };
    assert.equal(await isOffered(), false);
  });
});
