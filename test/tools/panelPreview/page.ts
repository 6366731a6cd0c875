import type { ViewState } from '../../../src/protocol/panelEvents.ts';
import type { ViewStrings } from '../../../src/protocol/viewStrings.ts';
import type { Language } from '../hostModule.ts';
import { wrapFormats } from '../pseudo.ts';
import type { Theme } from './themes.ts';

const nonce = 'preview';

const policy = [
  "default-src 'none'",
  `script-src 'nonce-${nonce}'`,
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The panel's page with the policy it has in VS Code and a stub of the host. */
export function previewPage(
  { state, kept }: { readonly state: ViewState; readonly kept: unknown },
  strings: ViewStrings,
  theme: string,
  language: Language,
): string {
  return `<!DOCTYPE html>
<html lang="${language === 'pseudo' ? 'en' : language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="/theme/${theme}.css">
<link rel="stylesheet" href="/webview/codicon.css">
<link rel="stylesheet" href="/media/panel.css">
<link rel="stylesheet" href="/media/confirmation.css">
<link rel="stylesheet" href="/media/context.css">
<title>Svc</title>
</head>
<body data-strings="${attribute(strings)}" data-state="${attribute(state)}" data-kept="${attribute(kept)}">
<script nonce="${nonce}">${language === 'pseudo' ? wrapFormats : ''}${fakeHost}</script>
<script type="module" nonce="${nonce}" src="/webview/main.js"></script>
</body>
</html>`;
}

/** Records every call and answers it. `ready` returns the page's state, and `window.host(...events)` sends more. */
const fakeHost = `
  const state = JSON.parse(document.body.dataset.state);
  let seq = 0;
  let kept = JSON.parse(document.body.dataset.kept);
  window.calls = [];
  window.host = (...events) => window.postMessage({ type: 'events', seq: ++seq, events });
  window.acquireVsCodeApi = () => ({
    getState: () => kept,
    setState: (value) => { kept = value; },
    postMessage: ({ id, method, params }) => {
      window.calls.push({ method, params });
      if (method === 'ready') { seq = 0; window.host({ type: 'snapshot', state }); }
      // A host that needs long to read what goes with a message.
      if (method === 'send' && params.text === 'wait') return;
      const err = method === 'send' && params.text === 'refuse' ? 'This is refused.' : undefined;
      // No popup is filled here.
      window.postMessage({ type: 'reply', id, err, value: method === 'complete' ? null : undefined });
    },
  });
`;

/** The styles of a webview as VS Code sets them: the variables, and the background color of the side bar. */
export function themeCss(theme: Theme): string {
  const variables = Object.entries(theme).map(([name, value]) => `  --vscode-${name}: ${value};`);
  return `:root {\n${variables.join('\n')}\n}\nbody { background: ${theme['sideBar-background'] ?? 'none'}; padding: 0 20px; }\n`;
}

/** Returns a value as JSON that is escaped for an HTML attribute. */
export function attribute(value: unknown): string {
  return JSON.stringify(value).replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
