import assert from 'node:assert/strict';
import { isNameless } from '../../../../src/send/message/attachment.ts';
import { asks, outgoing, Stage } from '../../session/dispatchStage.ts';
import { recognizing } from '../../session/recognition.ts';
import { MemoryWorkspace, moduleIn } from './stage.ts';

const lines = 'WHERE=the ledgers of the western quarry\nUNTIL=the end of the next month\n';

describe('text that comes without a file', () => {
  it('is compared with all of the excluded files, whatever made it', async () => {
    type Maker = typeof import('../../../../src/platform/sources/maker.ts');
    const { namelessText } = await moduleIn<Maker>(new MemoryWorkspace(), 'src/platform/sources/maker.ts');
    for (const uri of ['untitled:terminal', 'untitled:reference'] as const) {
      const about = { label: 'output', languageId: '', folder: null };
      const attachment = { ...about, ...namelessText(`$ cat .env\n\n\n${lines}`, uri, []) };
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
