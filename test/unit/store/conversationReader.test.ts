import assert from 'node:assert/strict';
import { ConversationFolder } from '../../../src/store/conversations/conversationFolder.ts';
import { ConversationReader } from '../../../src/store/conversations/conversationReader.ts';
import { WordSearch } from '../../../src/store/conversations/conversationSearch.ts';
import { writeAtomically } from '../../../src/store/files.ts';
import { isServiceError } from '../../../src/util/errors.ts';
import { conversation, silentLogger, turn, Workspace } from './conversationSamples.ts';

/** Records which files are read completely. */
class CountedFolder extends ConversationFolder {
  readonly wholes: string[] = [];
  onWhole: () => void = () => undefined;

  override bytes(...args: Parameters<ConversationFolder['bytes']>): ReturnType<ConversationFolder['bytes']> {
    this.#count(args[0]);
    return super.bytes(...args);
  }

  override read(id: string): ReturnType<ConversationFolder['read']> {
    this.#count(id);
    return super.read(id);
  }

  #count(id: string): void {
    this.wholes.push(id);
    this.onWhole();
  }
}

describe('store: a search of the history', () => {
  const words = WordSearch.for('lamp') ?? assert.fail();
  let workspace: Workspace;
  let folder: CountedFolder;
  let reader: ConversationReader;

  beforeEach(() => {
    workspace = new Workspace();
    folder = new CountedFolder(workspace.folder, { writeAtomically });
    reader = new ConversationReader(folder, { onNotice: () => assert.fail(), logger: silentLogger, now: Date.now });
  });
  afterEach(() => workspace.remove());

  const save = async (count: number, title: (index: number) => string): Promise<void> => {
    const store = workspace.open();
    for (let index = 0; index < count; index += 1) {
      await store.save(conversation(`c${index}`, [turn('1', { answer: 'A lamp.' })], { title: title(index) }));
    }
  };

  it('does not read the file of a conversation whose title has the words', async () => {
    await save(4, (index) => (index < 3 ? `Lamp ${index}` : 'Other'));
    assert.equal((await reader.search(words)).length, 4);
    assert.deepEqual(folder.wholes, ['c3']);
  });

  it('ends when it is cancelled, after the files that are being read', async () => {
    await save(40, () => 'Other');
    const stop = new AbortController();
    folder.onWhole = () => stop.abort();
    await assert.rejects(
      reader.search(words, stop.signal),
      (error) => isServiceError(error) && error.kind === 'aborted',
    );
    assert.ok(folder.wholes.length > 0 && folder.wholes.length <= 8, String(folder.wholes.length));
    folder.wholes.length = 0;
    await assert.rejects(reader.search(words, AbortSignal.abort()));
    assert.deepEqual(folder.wholes, []);
  });
});
