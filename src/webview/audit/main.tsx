import { signal } from '@preact/signals';
import { render } from 'preact';
import type { AuditCall, AuditData, AuditHostMessage, AuditStrings } from '../../protocol/auditMessages.ts';
import { Page } from './Page.tsx';

declare function acquireVsCodeApi(): { postMessage(message: AuditCall): void };

const vscode = acquireVsCodeApi();
const strings: AuditStrings = JSON.parse(document.body.dataset.strings ?? '{}');
const data = signal<AuditData | undefined>(undefined);

addEventListener('message', ({ data: message }: MessageEvent<AuditHostMessage>) => {
  if (message?.type === 'data') data.value = message.data;
});

function Root() {
  return data.value === undefined ? null : (
    <Page data={data.value} strings={strings} call={(call) => vscode.postMessage(call)} />
  );
}

render(<Root />, document.body);
vscode.postMessage({ type: 'ready' });
