// Shows the page of the audit log outside VS Code: `node test/tools/auditPreview/serve.ts` prints an address with every
// state in every theme. With `--shoot [folder] [state...]` it takes pictures instead and ends. The build, and the
// pictures unless a folder is given, go to .vscode-test/audit-preview.
import { mkdir } from 'node:fs/promises';
import { startPreview } from '../previewServer.ts';
import { auditPreview } from './preview.ts';
import { shoot } from './shoot.ts';

const { address, folder, close } = await startPreview(auditPreview);
const at = process.argv.indexOf('--shoot');
if (at < 0) {
  console.log(address);
} else {
  const rest = process.argv.slice(at + 1);
  const isState = (word: string): boolean => auditPreview.states.includes(word);
  const target = rest.find((word) => !isState(word)) ?? folder;
  await mkdir(target, { recursive: true });
  await shoot(address, target, rest.filter(isState));
  close();
}
