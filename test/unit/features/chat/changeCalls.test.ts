import assert from 'node:assert/strict';
import { changeCalls } from '../../../../src/features/chat/vscode/changeCalls.ts';
import type { PanelChanges } from '../../../../src/features/edits/vscode/changes/panelChanges.ts';
import { Emitter } from '../../../../src/util/event.ts';

class FakeChanges implements PanelChanges {
  readonly asked: unknown[] = [];
  readonly onDidChange = new Emitter<void>().event;
  readonly view = (): undefined => undefined;
  readonly proposeAll: PanelChanges['proposeAll'] = (turnId) => this.#note('proposeAll', turnId);
  readonly open = (id: string): Promise<void> => this.#note('open', id);
  readonly decide: PanelChanges['decide'] = (id, version, decision) => this.#note('decide', id, version, decision);
  readonly carryOver: PanelChanges['carryOver'] = (id, version) => this.#note('carryOver', id, version);
  readonly decideAll: PanelChanges['decideAll'] = (decision, at) => this.#note('decideAll', decision, at);
  readonly undo: PanelChanges['undo'] = async (at) => {
    await this.#note('undo', at);
    return true;
  };
  readonly close = (): void => void this.#note('close');
  readonly decisions = (): undefined => undefined;
  readonly told = (): void => undefined;

  async #note(...what: readonly unknown[]): Promise<void> {
    this.asked.push(what);
    if (what.includes('broken')) throw new Error('It is read-only.');
  }
}

describe('host: the calls of the panel about proposed changes', () => {
  it('do what they name, and show their errors in the panel', async () => {
    const changes = new FakeChanges();
    const errors: unknown[] = [];
    const shown = { set: 's', version: 7 };
    const answering = (work: () => Promise<void>) => work().catch((error: Error) => void errors.push(error.message));
    const calls = changeCalls(() => ({ changes, messages: { answering } }));
    await calls.openChange({ id: 'a' });
    await calls.decideChange({ id: 'a', version: 2, decision: 'reject' });
    await calls.carryOverChange({ id: 'a', version: 3 });
    await calls.decideChanges({ shown, decision: 'accept' });
    await calls.undoChanges({ shown });
    await calls.closeChanges(undefined);
    assert.deepEqual(changes.asked, [
      ['open', 'a'],
      ['decide', 'a', 2, 'reject'],
      ['carryOver', 'a', 3],
      ['decideAll', 'accept', shown],
      ['undo', shown],
      ['close'],
    ]);
    await calls.openChange({ id: 'broken' });
    await calls.decideChange({ id: 'broken', version: 1, decision: 'accept' });
    assert.deepEqual(errors, ['It is read-only.', 'It is read-only.']);
  });
});
