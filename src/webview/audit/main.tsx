import { render } from 'preact';
import type { AuditHostMessage, AuditStrings } from '../../protocol/auditMessages.ts';
import { formatsFor } from './format.ts';
import { Page } from './Page.tsx';
import { AuditContext, type AuditPort, AuditState } from './state.ts';

declare function acquireVsCodeApi(): AuditPort;

// Only the host writes this attribute, from an AuditStrings.
const strings: AuditStrings = JSON.parse(document.body.dataset.strings ?? '{}');
const state = new AuditState(acquireVsCodeApi());
const formats = formatsFor(document.documentElement.lang);

addEventListener('message', ({ data }: MessageEvent<AuditHostMessage | undefined>) => state.take(data));

render(
  <AuditContext.Provider value={{ state, strings, formats }}>
    <Page />
  </AuditContext.Provider>,
  document.body,
);

state.call({ type: 'ready' });
