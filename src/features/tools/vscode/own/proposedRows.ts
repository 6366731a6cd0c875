import { makeContent } from '../../../../platform/sources/maker.ts';
import { joinOwn, ownText } from '../../../../session/tools/ownText.ts';
import type { ToolOutput } from '../../../../session/tools/toolStep.ts';
import { type Row, rowsOf } from './rows.ts';
import type { ProposedFile } from './tool.ts';

/** The maximum number of files that are named. */
const maxFiles = 50;

/** Adds the names of files with proposed changes, which are not written, to what was found in the files of the workspace. */
export async function withProposed(output: ToolOutput, proposed: readonly ProposedFile[]): Promise<ToolOutput> {
  const rows: Row[] = [];
  for (const { uri, from, path, change } of proposed) {
    const name = from === undefined ? path : `${from.path} -> ${path}`;
    const made = await makeContent([uri, from?.uri ?? []].flat(), () => `${name}: ${change}`, { outside: 'refuse' });
    if (made.ok) rows.push({ uri, content: made.content });
  }
  if (rows.length === 0) return output;
  const { text, attachments } = rowsOf('proposed changes', rows, maxFiles, []);
  const note = ownText`Some of the files have proposed changes, which are not written: see "proposed changes". The other results do not include them; read_file shows them.`;
  return {
    ...output,
    text: joinOwn(
      [output.text, text, note].filter((one) => one !== ''),
      '\n',
    ),
    attachments: [...output.attachments, ...attachments],
  };
}
