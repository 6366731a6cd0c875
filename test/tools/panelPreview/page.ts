import type { ViewState, ViewStrings } from '../../../src/protocol/messages.ts';
import type { Theme } from './themes.ts';

const strings: ViewStrings = {
  composerPlaceholder: 'Ask Svc',
  send: 'Send',
  stop: 'Stop',
  newChat: 'New Chat',
  copyCode: 'Copy code',
  insertCode: 'Insert at Cursor',
  newFile: 'New File',
  applyCode: 'Apply to File',
  codeUnfinished: 'the answer is still being written',
  codeCut: 'This code is not complete: it can be copied, but not inserted or applied.',
  showAllLines: 'Show all {0} lines',
  showFewerLines: 'Show fewer lines',
  copied: 'Copied',
  copyAnswer: 'Copy answer',
  retryNow: 'Retry now',
  cancel: 'Cancel',
  retryingIn: 'Retrying in {0} s',
  askAgain: 'Ask again',
  continueAnswer: 'Continue the answer',
  edit: 'Edit the question',
  editLater: 'An answer is still being written.',
  versions: 'Versions of this question',
  olderVersion: 'Older version',
  newerVersion: 'Newer version',
  versionShown: 'Version {0} of the question is shown.',
  you: 'You',
  answer: 'Answer',
  transcript: 'Conversation',
  waiting: 'Waiting for the service',
  model: 'Model',
  posture: 'Svc headers of the next request',
  noPosture: 'no headers',
  blocked: 'blocked',
  preview: 'Show what leaves',
  attach: 'Attach a file',
  attachments: 'Attached to the next question',
  remove: 'Remove',
  dropHint: 'Drop to attach',
  suggestions: 'Suggestions',
  suggestionCount: 'Suggestions: {0}',
  noSuggestions: 'No suggestions',
  showExactText: 'Show Exact Text',
  requested: 'Requested',
  said: 'The service says',
  header: 'Header',
  reviewing: 'Nothing is sent yet: the request waits for your word.',
  answerStarted: 'The answer has begun.',
  answerComplete: 'The answer is complete. Code blocks: {0}.',
  emptyTitle: 'Ask about your code',
  emptyHint: 'Answers come from your Svc service, with the compliance headers that your settings ask for.',
};

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

/** The panel's page under the policy it has in VS Code, with a stand-in for the host. */
export function previewPage(state: ViewState, theme: string, kept: unknown = null): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="/theme/${theme}.css">
<link rel="stylesheet" href="/webview/codicon.css">
<link rel="stylesheet" href="/panel.css">
<link rel="stylesheet" href="/review.css">
<link rel="stylesheet" href="/context.css">
<title>Svc</title>
</head>
<body data-strings="${attribute(strings)}" data-state="${attribute(state)}" data-kept="${attribute(kept)}">
<script nonce="${nonce}">${fakeHost}</script>
<script type="module" nonce="${nonce}" src="/webview/main.js"></script>
</body>
</html>`;
}

/** Answers every call and remembers it; `ready` gets the page's state, and `window.host(...events)` sends more. */
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
      const err = method === 'send' && params.text === 'refuse' ? 'This is refused.' : undefined;
      window.postMessage({ type: 'reply', id, err });
    },
  });
`;

/** A webview's styles as VS Code sets them: the variables, and the colour of the side bar behind the page. */
export function themeCss(theme: Theme): string {
  const variables = Object.entries(theme).map(([name, value]) => `  --vscode-${name}: ${value};`);
  return `:root {\n${variables.join('\n')}\n}\nbody { background: ${theme['sideBar-background'] ?? 'none'}; padding: 0 20px; }\n`;
}

function attribute(value: unknown): string {
  return JSON.stringify(value).replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
