import type { ToolCall } from '../../../src/client/chat.ts';
import type { Mode } from '../../../src/protocol/mode.ts';
import { asOwn, type OwnText } from '../../../src/session/tools/ownText.ts';
import type { Toolbox, ToolboxSource, ToolEntry, ToolResult } from '../../../src/session/tools/toolbox.ts';
import { saying } from '../../../src/session/tools/toolStep.ts';

/** Tools that run nothing. They record their calls and return what a test sets. */
export class FakeToolbox {
  readonly ran: ToolCall[] = [];
  readonly entries: ToolEntry[] = [];
  readonly offered = ['look'];
  isOn = true;
  mustAsk = true;
  asksEach = false;
  maxCalls = 60;
  question: string | undefined;
  maxInputChars = 16_000;
  /** Names of tools that change what others find. */
  readonly changing = new Set<string>();
  fileChanges = 0;
  why: OwnText | null = null;
  answer: (call: ToolCall, signal: AbortSignal) => Promise<ToolResult> = async ({ name }) => ({
    state: 'done',
    output: saying(asOwn(`result of ${name}`)),
  });

  /** The modes for which it was asked. */
  readonly modes: Mode[] = [];

  readonly source: ToolboxSource = async (_, mode) => {
    this.modes.push(mode);
    return this.isOn ? this.#toolbox(mode) : null;
  };

  #toolbox(mode: Mode): Toolbox {
    return {
      offer: { tools: this.offered.map((name) => ({ name, description: 'Looks.' })), choice: 'auto' },
      proposes: () => mode === 'change',
      whyNot: async () => (this.why === null ? null : saying(this.why)),
      mustAsk: () => this.mustAsk,
      asksEach: () => this.asksEach,
      maxCalls: this.maxCalls,
      questionAbout: () => this.question,
      maxInputChars: () => this.maxInputChars,
      changesFiles: (name) => this.changing.has(name),
      fileChanges: () => this.fileChanges,
      run: (call, signal) => {
        this.ran.push(call);
        return this.answer(call, signal);
      },
      record: async (entry) => void this.entries.push(entry),
    };
  }
}
