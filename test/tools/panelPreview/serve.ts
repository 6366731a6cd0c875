// Shows the panel outside VS Code: `node test/tools/panelPreview/serve.ts` prints an address with every state in every
// theme. With `--shoot [state...]` it takes pictures of them instead and ends. Both write only to
// .vscode-test/panel-preview.
import { startPreview } from '../previewServer.ts';
import { panelPreview } from './preview.ts';
import { shoot } from './shoot.ts';

const { address, folder, close } = await startPreview(panelPreview);
if (process.argv.includes('--shoot')) {
  const states = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  await shoot(address, folder, states);
  close();
} else {
  console.log(address);
}
