import { render } from 'preact';
import type { ViewStrings } from '../protocol/viewStrings.ts';
import { Bridge, type HostPort } from './bridge.ts';
import type { PageState } from './draft.ts';
import { editingIn } from './draft.ts';
import { DraftKeeper } from './draftKeeper.ts';
import { type Panel, PanelContext, PanelState } from './panel.ts';
import { App } from './view/App.tsx';

declare function acquireVsCodeApi(): HostPort & PageState;

const vscode = acquireVsCodeApi();
// Only the host writes this attribute, from a ViewStrings.
const strings = JSON.parse(document.body.dataset.strings ?? '{}') as ViewStrings;
const state = new PanelState(strings);
const bridge = new Bridge(vscode, (events) => state.take(events));
state.editing.value = editingIn(vscode.getState());
const drafts = new DraftKeeper(vscode);
const panel: Panel = { state, bridge, strings, page: vscode, drafts };

window.addEventListener('message', ({ data }: MessageEvent<unknown>) => bridge.receive(data));
// Before the view is hidden, which ends the page.
for (const event of ['blur', 'pagehide']) window.addEventListener(event, () => drafts.flush());

render(
  <PanelContext.Provider value={panel}>
    <App />
  </PanelContext.Provider>,
  document.body,
);

bridge.tell('ready');

// Loads the parser before the first answer needs it.
requestIdleCallback(() => void import('./markdown/answerBody.ts'));
