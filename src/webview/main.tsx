import { render } from 'preact';
import type { PanelCalls } from '../protocol/panelCalls.ts';
import type { ViewStrings } from '../protocol/viewStrings.ts';
import { Channel, type HostPort } from './channel.ts';
import type { PageState } from './composer/draft.ts';
import { editingIn, summaryIn } from './composer/draft.ts';
import { DraftKeeper } from './composer/draftKeeper.ts';
import { EventReader } from './eventReader.ts';
import { type Panel, PanelContext, PanelState } from './panel.ts';
import { App } from './view/App.tsx';
import { showReordering } from './view/bidi.ts';

declare function acquireVsCodeApi(): HostPort & PageState;

const vscode = acquireVsCodeApi();
// Only the host writes this attribute: a ViewStrings as JSON.
const strings = JSON.parse(document.body.dataset.strings ?? '{}') as ViewStrings;
const state = new PanelState(strings);
const channel = new Channel<PanelCalls>(vscode);
const reader = new EventReader(
  () => channel.tell('ready'),
  (events) => state.take(events),
);
state.editing.value = editingIn(vscode.getState());
state.editedSummary.value = summaryIn(vscode.getState());
const drafts = new DraftKeeper(vscode, (text) => channel.tell('keepText', text));
const panel: Panel = { state, channel, strings, page: vscode, drafts };

window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  channel.receive(data);
  reader.receive(data);
});
// The drafts are saved before the view is hidden, because that ends the page.
for (const event of ['blur', 'pagehide']) window.addEventListener(event, () => drafts.flush());

showReordering();
render(
  <PanelContext.Provider value={panel}>
    <App />
  </PanelContext.Provider>,
  document.body,
);

channel.tell('ready');

// Loads the parser before the first answer needs it.
requestIdleCallback(() => void import('./markdown/answerBody.ts'));
