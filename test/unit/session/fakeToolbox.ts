import type { ToolCall } from '../../../src/client/chat.ts';
import { asOwn, type OwnText } from '../../../src/session/tools/ownText.ts';
import type { Toolbox, ToolboxSource, ToolEntry, ToolResult } from '../../../src/session/tools/toolbox.ts';
import { saying } from '../../../src/session/tools/toolStep.ts';

/** Tools that run nothing. They record their calls and return what a test sets. */
export class FakeToolbox {
  readonly ran: ToolCall[] = [];
  readonly entries: ToolEntry[] = [];
  isOn = true;
  why: OwnText | null = null;
  answer: (call: ToolCall, signal: AbortSignal) => Promise<ToolResult> = async ({ name }) => ({
    state: 'done',
    output: saying(asOwn(`result of ${name}`)),
  });

  readonly source: ToolboxSource = async () => (this.isOn ? this.#toolbox() : null);

  #toolbox(): Toolbox {
    return {
      offer: { tools: [{ name: 'look', description: 'Looks.' }], choice: 'auto' },
      whyNot: async () => (this.why === null ? null : saying(this.why)),
      run: (call, signal) => {
        this.ran.push(call);
        return this.answer(call, signal);
      },
      record: async (entry) => void this.entries.push(entry),
    };
  }
}
