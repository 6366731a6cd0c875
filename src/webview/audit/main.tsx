import { render } from 'preact';
import type { AuditStrings } from '../../protocol/audit/auditMessages.ts';
import type { HostPort } from '../channel.ts';
import type { PageState } from '../composer/draft.ts';
import { formatsFor } from './format.ts';
import { Page } from './Page.tsx';
import { AuditContext, AuditState } from './state.ts';

declare function acquireVsCodeApi(): HostPort & PageState;

// Only the host writes this attribute: an AuditStrings as JSON.
const strings: AuditStrings = JSON.parse(document.body.dataset.strings ?? '{}');
const state = new AuditState(acquireVsCodeApi());
const formats = formatsFor(document.documentElement.lang);

addEventListener('message', ({ data }: MessageEvent<unknown>) => state.receive(data));

render(
  <AuditContext.Provider value={{ state, strings, formats }}>
    <Page />
  </AuditContext.Provider>,
  document.body,
);

void state.call('ready');
