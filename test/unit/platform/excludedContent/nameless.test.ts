import assert from 'node:assert/strict';
import { isNameless, placesOf } from '../../../../src/send/message/attachment.ts';
import { asks, outgoing, Stage } from '../../session/dispatchStage.ts';
import { recognizing } from '../../session/recognition.ts';
import { DiskWorkspace, MemoryWorkspace, moduleIn } from './stage.ts';
import type { WorkspaceForTest } from './vscodeFiles.ts';

const lines = 'WHERE=the ledgers of the western quarry\nUNTIL=the end of the next month\n';

type Maker = typeof import('../../../../src/platform/sources/maker.ts');
const load = (workspace: WorkspaceForTest) => moduleIn<Maker>(workspace, 'src/platform/sources/maker.ts');

describe('text that comes without a file', () => {
  it('belongs to all folders of the window', async () => {
    const { namelessText, toolText } = await load(new DiskWorkspace('/w/one', 'git', ['/w/two']));
    for (const made of [namelessText('x', 'untitled:terminal'), await toolText('x')]) {
      assert.deepEqual(placesOf([made]), [made.uri, 'file:///w/one', 'file:///w/two']);
    }
  });

  it('is compared with all of the excluded files, whatever made it', async () => {
    const { namelessText } = await load(new MemoryWorkspace());
    for (const uri of ['untitled:terminal', 'untitled:reference'] as const) {
      const about = { label: 'output', languageId: '' };
      const attachment = { ...about, ...namelessText(`$ cat .env\n\n\n${lines}`, uri) };
      assert.ok(isNameless(attachment));
      const stage = new Stage();
      stage.recognition = recognizing({ '.env': lines });
      await stage.send(outgoing(asks('What is it?', attachment)));
      const [{ content = '' } = {}] = stage.sent[0]?.messages ?? [];
      assert.match(content, /\$ cat \.env\n\[left out: \d lines of \.env\]/);
      assert.ok(!content.includes('quarry'));
    }
  });
});
