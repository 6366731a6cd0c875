import assert from 'node:assert/strict';
import { changeCalls } from '../../../../src/features/chat/vscode/changeCalls.ts';
import type { PanelChanges } from '../../../../src/features/edits/vscode/changes/panelChanges.ts';
import { Emitter } from '../../../../src/util/event.ts';

class FakeChanges implements PanelChanges {
  readonly asked: unknown[] = [];
  readonly onDidChange = new Emitter<void>().event;
  readonly view = (): undefined => undefined;
  readonly open = (id: string): Promise<void> => this.#note('open', id);
  readonly decide: PanelChanges['decide'] = (id, decision) => this.#note('decide', id, decision);
  readonly carryOver = (id: string): Promise<void> => this.#note('carryOver', id);
  readonly decideAll: PanelChanges['decideAll'] = (decision) => this.#note('decideAll', decision);
  readonly undo = async (): Promise<boolean> => {
    await this.#note('undo');
    return true;
  };
  readonly close = (): void => void this.#note('close');

  async #note(...what: readonly string[]): Promise<void> {
    this.asked.push(what);
    if (what.includes('broken')) throw new Error('It is read-only.');
  }
}

describe('host: the calls of the panel about proposed changes', () => {
  it('do what they name, and show their errors in the panel', async () => {
    const changes = new FakeChanges();
    const errors: unknown[] = [];
    const answering = (work: () => Promise<void>) => work().catch((error: Error) => void errors.push(error.message));
    const calls = changeCalls(() => ({ changes, messages: { answering } }));
    await calls.openChange({ id: 'a' });
    await calls.decideChange({ id: 'a', decision: 'reject' });
    await calls.carryOverChange({ id: 'a' });
    await calls.decideChanges({ decision: 'accept' });
    await calls.undoChanges(undefined);
    await calls.closeChanges(undefined);
    assert.deepEqual(changes.asked, [
      ['open', 'a'],
      ['decide', 'a', 'reject'],
      ['carryOver', 'a'],
      ['decideAll', 'accept'],
      ['undo'],
      ['close'],
    ]);
    await calls.openChange({ id: 'broken' });
    await calls.decideChange({ id: 'broken', decision: 'accept' });
    assert.deepEqual(errors, ['It is read-only.', 'It is read-only.']);
  });
});
