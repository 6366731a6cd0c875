import * as vscode from 'vscode';
import type { ChangesView } from '../../../../src/protocol/changesView.ts';
import type { Mode } from '../../../../src/protocol/mode.ts';
import type { PanelCalls } from '../../../../src/protocol/panelCalls.ts';
import type { EventsMessage, ViewEvent } from '../../../../src/protocol/panelEvents.ts';
import type { ToolStepView, TurnMeta, TurnView } from '../../../../src/protocol/turnView.ts';
import { Emitter } from '../../../../src/util/event.ts';

interface Reply {
  readonly type: 'reply';
  readonly id: number;
  readonly err?: string;
}

/** What VS Code has of our extension's panel, and what a page of it gets. */
export interface PanelTurn {
  readonly meta: TurnMeta;
  readonly answer: string;
}

/** The page of the panel, without a browser: it makes the calls of the real page, and keeps what the host sends. */
export class Panel {
  readonly #messages = new Emitter<unknown>();
  readonly #changed = new Emitter<void>();
  readonly #replies = new Map<number, (reply: Reply) => void>();
  #calls = 0;
  #turns = new Map<string, PanelTurn>();
  #isBusy = false;
  #isThere = false;
  changes: ChangesView | undefined;
  /** The titles of the messages beside the conversation. */
  told: readonly string[] = [];
  #noteChange: (at: number) => void = () => undefined;

  /** Activates the extension with this page in place of the webview. */
  static async open(id: string): Promise<Panel> {
    const panel = new Panel();
    const { promise, resolve } = Promise.withResolvers<vscode.WebviewViewProvider>();
    const register = (_: string, provider: vscode.WebviewViewProvider): vscode.Disposable => {
      resolve(provider);
      return new vscode.Disposable(() => undefined);
    };
    Object.defineProperty(vscode.window, 'registerWebviewViewProvider', { configurable: true, value: register });
    await vscode.extensions.getExtension(id)?.activate();
    const provider = await promise;
    const { token } = new vscode.CancellationTokenSource();
    await provider.resolveWebviewView(panel.#view() as never, { state: undefined }, token);
    await panel.call('ready');
    return panel;
  }

  #view(): object {
    const never = new Emitter<never>().event;
    return {
      ...{ visible: true, onDidChangeVisibility: never, onDidDispose: never, show: () => undefined },
      webview: {
        ...{ options: {}, html: '', cspSource: '', asWebviewUri: (uri: vscode.Uri) => uri },
        onDidReceiveMessage: this.#messages.event,
        postMessage: async (message: EventsMessage | Reply) => {
          if (message.type === 'events') this.#take(message.events);
          else this.#replies.get(message.id)?.(message);
        },
      },
    };
  }

  /** Makes a call. Rejects with what the host says if it fails. */
  async call<Name extends keyof PanelCalls>(method: Name, ...params: Parameters<PanelCalls[Name]>): Promise<void> {
    this.#calls += 1;
    const id = this.#calls;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#replies.set(id, resolve);
    this.#messages.fire({ type: 'call', id, method, ...(params.length === 0 ? {} : { params: params[0] }) });
    const { err } = await promise;
    this.#replies.delete(id);
    if (err !== undefined) throw new Error(`${method} failed: ${err}`);
  }

  /** Resolves when `holds` returns true. */
  until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => {
      const listening = this.#changed.event(() => {
        if (!holds()) return;
        listening.dispose();
        resolve();
      });
    });
  }

  get turns(): readonly PanelTurn[] {
    return [...this.#turns.values()];
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** The calls of tools in this conversation. */
  get steps(): readonly ToolStepView[] {
    return this.turns.flatMap(({ meta }) => meta.steps ?? []);
  }

  /** Calls `answer` for each call of a tool that waits for the user. */
  onAsking(answer: (turnId: string, step: ToolStepView) => void): { dispose(): void } {
    const seen = new Set<number>();
    const look = (): void => {
      for (const { meta } of this.turns) {
        for (const step of meta.steps ?? []) {
          if (step.state !== 'asking' || step.asked === undefined || seen.has(step.asked)) continue;
          seen.add(step.asked);
          answer(meta.id, step);
        }
      }
    };
    const { dispose } = this.#changed.event(look);
    return { dispose: () => void dispose() };
  }

  /** When a card of proposed changes is shown or changed the next time, by performance.now(). */
  onFirstChange(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#noteChange = resolve;
    return promise;
  }

  /** Calls `answer` whenever a request waits for the user's confirmation. */
  onConfirming(answer: (turnId: string, asked: number) => void): { dispose(): void } {
    let confirming = 0;
    const look = (): void => {
      const meta = this.turns.map((turn) => turn.meta).find(({ status }) => status === 'confirming');
      if (meta?.status !== 'confirming' || meta.asked === confirming) return;
      confirming = meta.asked;
      answer(meta.id, meta.asked);
    };
    const { dispose } = this.#changed.event(look);
    return { dispose: () => void dispose() };
  }

  #take(events: readonly ViewEvent[]): void {
    for (const event of events) this.#takeOne(event);
    this.#changed.fire();
  }

  #takeOne(event: ViewEvent): void {
    switch (event.type) {
      case 'snapshot':
        this.#turns = new Map();
        for (const turn of event.state.turns) this.#put(turn, turn.answer);
        this.#isBusy = event.state.busy;
        this.changes = event.state.changes;
        this.told = event.state.messages.map(({ card }) => card.title);
        this.#isThere = true;
        break;
      case 'turn-added':
        this.#put(event.turn, event.turn.answer);
        break;
      case 'turn-changed':
        this.#put(event.turn, this.#turns.get(event.turn.id)?.answer ?? '');
        break;
      case 'delta': {
        const turn = this.#turns.get(event.turnId);
        if (turn !== undefined) this.#put(turn.meta, turn.answer + event.text);
        break;
      }
      case 'busy-changed':
        this.#isBusy = event.busy;
        break;
      case 'changes-changed':
        this.changes = event.changes;
        if (event.changes !== undefined) this.#noteChange(performance.now());
        break;
      case 'messages-changed':
        this.told = event.messages.map(({ card }) => card.title);
        break;
    }
  }

  #put(meta: TurnMeta | TurnView, answer: string): void {
    this.#turns.set(meta.id, { meta, answer });
  }

  /** Begins a new conversation, in which the model may propose changes. */
  async newChat(): Promise<void> {
    await this.call('newChat');
    await this.until(() => this.#isThere && this.#turns.size === 0 && !this.#isBusy);
    await this.chooseMode('change');
  }

  /** Chooses the mode of the next questions. */
  async chooseMode(mode: Mode): Promise<void> {
    const chosen = await vscode.commands.executeCommand<{ readonly ok: boolean }>('svc.chooseMode', { mode });
    if (!chosen.ok) throw new Error(`The mode ${mode} was not chosen: ${JSON.stringify(chosen)}`);
  }
}
