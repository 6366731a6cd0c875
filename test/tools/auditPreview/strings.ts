import { build } from 'esbuild';
import type { AuditStrings } from '../../../src/protocol/auditMessages.ts';

const vscode = `export const l10n = { t: (text, ...values) => text.replace(/\\{(\\d)\\}/g, (_, index) => String(values[index])) };`;

/** The host's own texts of the page, without VS Code. */
export async function hostStrings(root: string): Promise<AuditStrings> {
  const { outputFiles } = await build({
    entryPoints: ['src/host/auditView/strings.ts'],
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [
      {
        name: 'no-vscode',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^vscode$/ }, () => ({ path: 'vscode', namespace: 'stand-in' }));
          onLoad({ filter: /.*/, namespace: 'stand-in' }, () => ({ contents: vscode }));
        },
      },
    ],
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const module = await import(`data:text/javascript;base64,${code}`);
  return module.auditStrings();
}
