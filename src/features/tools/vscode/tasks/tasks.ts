import * as vscode from 'vscode';
import type { ToolCall } from '../../../../client/chat.ts';
import { sliceOf } from '../../../../gate/content.ts';
import { toolText } from '../../../../platform/sources/maker.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';
import { joinOwn, type OwnText, ownText } from '../../../../session/tools/ownText.ts';
import { Disposable } from '../../../../util/disposable.ts';
import { abortedError } from '../../../../util/errors.ts';
import { plainOutput, startOfEnd, TextEnd } from '../../common/plainOutput.ts';
import { type TaskEnd, TaskProcess } from '../../node/taskProcess.ts';
import { ToolRefusal } from '../own/place.ts';
import type { ChangesStatus, OwnOutput, TasksOfCall } from '../own/tool.ts';
import { type FoundTask, findTask } from './findTask.ts';
import { isSameTask, taskQuestion } from './taskQuestion.ts';
import { TaskTerminal } from './taskTerminal.ts';

/** The time limit of a task in milliseconds. */
const maxTime = 10 * 60_000;
/** The maximum size in bytes of the end of the output, which the model gets. */
const maxSentBytes = 16 * 1024;
/** The maximum length in characters of the end that is kept and examined, and of its first part, which is only examined. */
const maxKept = 256 * 1024;
const margin = 16 * 1024;

interface Asked {
  readonly task: FoundTask;
  readonly question: string;
  /** The accepted files that it named. */
  readonly written: readonly string[];
  /** The number of accepts then, and at the first question about the call. */
  readonly accepts: number;
  readonly first: number;
}

/** Runs tasks of the workspace that the user has allowed. */
export class Tasks extends Disposable {
  readonly #secrets: () => Promise<readonly string[]>;
  /** The last question about each call, and the task that it showed. */
  readonly #asked = new WeakMap<ToolCall, Asked>();
  /** The tasks that the user has allowed in this window, as they were then. */
  readonly #allowed = new Map<string, FoundTask>();
  readonly #running = new Set<TaskProcess>();

  /** `secrets` returns texts that no task gets in its environment. */
  constructor(secrets: () => Promise<readonly string[]>) {
    super();
    this.#secrets = secrets;
    this._register({ dispose: () => this.#running.forEach((one) => void one.kill()) });
  }

  /** Returns the use of tasks by one call. */
  of(call: ToolCall, status: () => ChangesStatus): TasksOfCall {
    return {
      question: async (name) => {
        const task = await findTask(name);
        const asked = this.#asked.get(call);
        const now = status();
        const { written, accepts } = now;
        if (asked !== undefined && isSameTask(asked.task, task) && asked.accepts === accepts) return asked.question;
        const first = asked?.first ?? accepts;
        // The user is asked again only if the text of the question differs.
        const again = written.every((path) => asked?.written.includes(path)) ? accepts - first : 0;
        const question = taskQuestion(task, asked?.task ?? this.#allowed.get(keyOf(task)), { written, again });
        this.#asked.set(call, { task, question, written, accepts, first });
        return question;
      },
      run: async (signal) => {
        const { task } = this.#asked.get(call) ?? notAsked();
        this.#allowed.set(keyOf(task), task);
        return this.#run(task, signal, status());
      },
    };
  }

  async #run(task: FoundTask, signal: AbortSignal, { waiting }: ChangesStatus): Promise<OwnOutput> {
    const env = taskEnvironment(process.env, await this.#secrets(), task.env);
    if (signal.aborted) throw abortedError();
    const output = new TextEnd(maxKept);
    const end = await this.#inTerminal(task, env, signal, output);
    const text = joinOwn(
      [
        endWords(end),
        ...(output.isCut ? [ownText`Only the end of the output is here.`] : []),
        ...(waiting === 0
          ? []
          : [ownText`Files with proposed changes: ${waiting}. They are not written, and the task ran without them.`]),
      ],
      '\n',
    );
    const attachment = await outputOf(output);
    return { text, attachments: attachment === null ? [] : [attachment] };
  }

  async #inTerminal(
    task: FoundTask,
    env: NodeJS.ProcessEnv,
    signal: AbortSignal,
    output: TextEnd,
  ): Promise<TaskEnd | 'not-started'> {
    const { promise, resolve, reject } = Promise.withResolvers<TaskEnd | 'not-started'>();
    promise.catch(() => undefined);
    let running: TaskProcess | undefined;
    let isOver = false;
    const terminal = new TaskTerminal({
      onOpen: () => {
        // VS Code can run the last task again, and the user was not asked about that.
        if (signal.aborted || isOver) return terminal.end(null);
        if (running !== undefined) return;
        terminal.begin(task.line);
        const started = new TaskProcess(startOf(task, env), (text) => {
          output.add(text);
          terminal.show(text);
        });
        running = started;
        this.#running.add(started);
        started.done.finally(() => this.#running.delete(started)).then(resolve, reject);
      },
      onStop: () => void running?.stop(),
    });
    const stop = (): void => {
      void running?.stop();
      reject(abortedError());
    };
    signal.addEventListener('abort', stop);
    let execution: vscode.TaskExecution | undefined;
    const listening = vscode.tasks.onDidEndTask((ended) => {
      // The user may cancel the question whether files are saved before a task is run.
      if (ended.execution === execution && running === undefined) resolve('not-started');
    });
    try {
      execution = await vscode.tasks.executeTask(customTask(task, terminal));
      const end = await promise;
      terminal.end(end === 'not-started' ? null : end.code);
      return end;
    } catch (error) {
      terminal.end(null);
      throw error;
    } finally {
      isOver = true;
      listening.dispose();
      signal.removeEventListener('abort', stop);
    }
  }
}

function customTask({ name, folder }: FoundTask, terminal: TaskTerminal): vscode.Task {
  const execution = new vscode.CustomExecution(async () => terminal);
  const task = new vscode.Task({ type: 'svc' }, folder, name, 'Svc', execution, []);
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    focus: false,
    panel: vscode.TaskPanelKind.Dedicated,
  };
  return task;
}

function startOf({ type, line, command, args, place }: FoundTask, env: NodeJS.ProcessEnv) {
  const about = { cwd: place, env, timeout: maxTime };
  return type === 'shell' ? { command: line, ...about } : { command, args, ...about };
}

/**
 * The environment of a task: that of VS Code, without VS Code's own variables and any that has one of these secrets, and then the
 * task's own.
 */
export function taskEnvironment(
  all: NodeJS.ProcessEnv,
  secrets: readonly string[],
  own: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const kept = Object.entries(all).filter(
    ([name, value = '']) =>
      !/^(?:SVC_API_KEY$|VSCODE_|ELECTRON_)/i.test(name) && !secrets.some((secret) => value.includes(secret)),
  );
  return { ...Object.fromEntries(kept), ...own };
}

function endWords(end: TaskEnd | 'not-started'): OwnText {
  if (end === 'not-started') return ownText`The task was not started: the user cancelled it.`;
  if (end.ended === 'time') return ownText`The task was ended after ${maxTime / 60_000} minutes, the longest time.`;
  if (end.ended === 'user') return ownText`The user ended the task.`;
  return end.code === null ? ownText`The task was ended by a signal.` : ownText`Exit code ${end.code}.`;
}

/** Makes the end of an output an attachment: text of no file, which may have content of all folders. */
async function outputOf(output: TextEnd): Promise<Attachment | null> {
  const plain = plainOutput(output.text);
  if (plain.trim() === '') return null;
  const { marks = [], covers = [], ...made } = await toolText(plain);
  const from = startOfEnd(plain, maxSentBytes, output.isCut ? margin : 0);
  const end = sliceOf({ text: made.text, marks, covers }, from, plain.length);
  return { label: 'output', languageId: 'plaintext', ...made, ...end };
}

function keyOf({ folder, name }: FoundTask): string {
  return JSON.stringify([folder.uri.toString(), name]);
}

function notAsked(): never {
  throw new ToolRefusal(ownText`Refused: the user was not asked.`);
}
