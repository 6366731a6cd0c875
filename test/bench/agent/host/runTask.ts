import * as vscode from 'vscode';
import type { LocalService } from '../../../service/service.ts';
import type { Files, Task } from '../task.ts';
import { bytesDiffering, differences, type TaskFolder } from './folder.ts';
import { makeFolders } from './makeFolders.ts';
import type { Panel } from './panel.ts';
import { Player } from './player.ts';
import { pressingFirst } from './questions.ts';
import type { AuditLine, AuditLog } from './records.ts';
import { User } from './user.ts';

/** Text of files that must not leave; files of tasks have it where this counts. */
export const excluded = 'never-leaves';
/** A secret that must leave only masked. */
export const secret = ['AKIA', 'IOSFODNN7ABCDEFG'].join('');

export interface TaskResult {
  readonly name: string;
  /** What was not as it should be; empty if all was. */
  readonly faults: readonly string[];
  readonly calls: number;
  readonly refused: number;
  readonly accepts: number;
  /** Bytes in files that changed although the user had not accepted it. */
  readonly bytesWritten: number;
  /** Requests with text of a file that must not leave. */
  readonly requestsWithExcluded: number;
  readonly requestsElsewhere: number;
  readonly ms: number;
}

export interface Stage {
  readonly panel: Panel;
  readonly service: LocalService;
  readonly audit: AuditLog;
  /** Connections to anything but the service so far. */
  readonly others: readonly string[];
  readonly set: (name: string, value: unknown) => Promise<void>;
}

/** One run of a task. */
class Run {
  readonly #task: Task;
  readonly #stage: Stage;
  readonly #folder: TaskFolder;
  readonly #player: Player;
  readonly #faults: string[] = [];
  readonly #from: { readonly lines: number; readonly others: number; readonly at: number };
  #bytesWritten = 0;
  #hasAnswer = false;
  #callsBefore = 0;
  #before: ReadonlyMap<string, string> = new Map();

  constructor(task: Task, stage: Stage, folder: TaskFolder) {
    const { service, audit, others } = stage;
    this.#task = task;
    this.#stage = stage;
    this.#folder = folder;
    this.#player = new Player(task.model, folder.prefix, service);
    this.#from = { lines: audit.lines.length, others: others.length, at: performance.now() };
  }

  async toEnd(): Promise<TaskResult> {
    const { panel, service, set } = this.#stage;
    const { files, settings = {}, prepare } = this.#task;
    await makeFolders(Object.keys(files).map((name) => this.#folder.path(name)));
    this.#folder.put(files);
    const end = prepare?.((name) => this.#folder.path(name));
    this.#before = this.#folder.now();
    await panel.newChat();
    // The mode of the conversation may need what they turn off.
    for (const [name, value] of Object.entries(settings)) await set(name, value);
    service.clear();
    service.play(this.#player.play);
    const approving = panel.onAsking((turnId, { id: stepId, asked = 0 }) => {
      // A page answers later, too.
      setImmediate(() => void panel.call('decideTool', { turnId, stepId, asked, decision: 'once' }));
    });
    const confirming = panel.onConfirming((turnId, asked) => {
      setImmediate(() => void panel.call('decide', { turnId, asked, choice: 'send-masked' }));
    });
    try {
      await this.#act();
      this.#compare();
      return this.#result();
    } finally {
      approving.dispose();
      confirming.dispose();
      await this.#leave();
      end?.();
    }
  }

  async #act(): Promise<void> {
    const { after, undone = {}, user: decide = acceptAll } = this.#task;
    const user = new User(this.#stage.panel, this.#folder, () => this.#afterAnswer(user.own));
    const asked = await pressingFirst(() => decide(user));
    this.#callsBefore = user.callsBefore;
    this.#expect('after the decisions', after);
    await pressingFirst(async () => {
      while (await user.undo());
    });
    this.#expect('after Undo', undone);
    this.#match('told', this.#task.told ?? [], user.told);
    this.#match('asked', this.#task.asked ?? [], asked);
  }

  /** The first answer has changed no file; the user may have. */
  #afterAnswer(own: Files): void {
    if (!this.#hasAnswer) this.#expect('before any decision', own);
    this.#hasAnswer = true;
  }

  #expect(when: string, files: Files): void {
    const expected = this.#folder.with(this.#before, files);
    const now = this.#folder.now();
    const wrong = differences(expected, now);
    for (const words of wrong) this.#faults.push(`${when}, ${words}`);
    if (wrong.length > 0) this.#bytesWritten += bytesDiffering(expected, now);
  }

  #match(what: string, patterns: readonly RegExp[], texts: readonly string[]): void {
    if (patterns.length === texts.length && patterns.every((one, at) => one.test(texts[at] ?? ''))) return;
    this.#faults.push(`${what}: ${JSON.stringify(texts)}, where ${patterns.join(', ') || 'nothing'} is expected`);
  }

  #compare(): void {
    const { panel } = this.#stage;
    this.#faults.push(...this.#player.faults);
    if (this.#player.isOver === (this.#task.isEnded === true))
      this.#faults.push(this.#player.isOver ? 'the turn was not ended' : 'the model was not asked to the end');
    const refused = panel.steps.filter(({ state }) => state === 'refused' || state === 'failed');
    this.#match(
      'refused',
      this.#task.refused ?? [],
      refused.map(({ result = '', note }) => result || note),
    );
    const lines = this.#lines();
    const count = (kind: string): number => lines.filter((line) => line.kind === kind).length;
    const steps = panel.steps.length + this.#callsBefore;
    if (count('tool-call') !== steps) this.#faults.push(`${count('tool-call')} records of ${steps} calls`);
    if (count('changes-accept') !== count('changes-written'))
      this.#faults.push(`${count('changes-accept')} accepts and ${count('changes-written')} ends of them are recorded`);
    const names = Object.keys({ ...this.#task.files, ...this.#task.after }).map((name) => name.split('/').at(-1) ?? '');
    const told = lines.filter(({ text }) => names.some((name) => text.includes(name)));
    if (told.length > 0) this.#faults.push(`a record names a file: ${told[0]?.text.slice(0, 200)}`);
    if (this.#withExcluded() > 0) this.#faults.push('a request has text that must not leave');
    if (this.#elsewhere().length > 0) this.#faults.push(`connections to ${this.#elsewhere().join(', ')}`);
  }

  #lines(): readonly AuditLine[] {
    return this.#stage.audit.lines.slice(this.#from.lines);
  }

  #withExcluded(): number {
    return this.#stage.service.received.filter(({ body }) => body.includes(excluded) || body.includes(secret)).length;
  }

  #elsewhere(): readonly string[] {
    return this.#stage.others.slice(this.#from.others);
  }

  #result(): TaskResult {
    const { panel } = this.#stage;
    const isRefused = (state: string): boolean => state === 'refused' || state === 'failed';
    return {
      name: this.#task.name,
      faults: this.#faults,
      calls: panel.steps.length,
      refused: panel.steps.filter(({ state }) => isRefused(state)).length,
      accepts: this.#lines().filter(({ kind }) => kind === 'changes-accept').length,
      bytesWritten: this.#bytesWritten,
      requestsWithExcluded: this.#withExcluded(),
      requestsElsewhere: this.#elsewhere().length,
      ms: performance.now() - this.#from.at,
    };
  }

  async #leave(): Promise<void> {
    const { panel, service, set } = this.#stage;
    service.clear();
    for (const name of Object.keys(this.#task.settings ?? {})) await set(name, undefined);
    await panel.newChat();
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    this.#folder.remove();
  }
}

/** The time after which a task counts as hanging, in milliseconds. */
const taskLimit = 60_000;

/** Runs a task in its own folder of the workspace, and says what was not as it should be. */
export async function runTask(task: Task, stage: Stage, folder: TaskFolder): Promise<TaskResult> {
  const { name } = task;
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error(`It hangs: ${stateOf(stage)}`)), taskLimit);
  try {
    return await Promise.race([new Run(task, stage, folder).toEnd(), limit.promise]);
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
      ...{ name, faults: [`It failed: ${why}`], calls: 0, refused: 0, accepts: 0 },
      ...{ bytesWritten: 0, requestsWithExcluded: 0, requestsElsewhere: 0, ms: 0 },
    };
  } finally {
    clearTimeout(timer);
  }
}

function stateOf({ panel, service }: Stage): string {
  const turns = panel.turns.map(({ meta, answer }) => ({ meta, answer }));
  const sent = service.received.map(({ method, path }) => `${method} ${path}`);
  return JSON.stringify({ turns, told: panel.told, isBusy: panel.isBusy, sent }).slice(0, 3_000);
}

async function acceptAll(user: User): Promise<void> {
  await user.ask();
  await user.accept();
}
