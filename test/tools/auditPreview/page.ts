import type { AuditStrings } from '../../../src/protocol/audit/auditMessages.ts';
import type { Language } from '../hostModule.ts';
import { attribute } from '../panelPreview/page.ts';
import { wrapFormats } from '../pseudo.ts';
import { partOf } from './sent.ts';
import type { PreviewState } from './states.ts';

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

/** The page with the policy it has in VS Code and a stub of the host. `kind` is VS Code's class of the theme. */
export function previewPage(
  state: PreviewState,
  strings: AuditStrings,
  theme: string,
  kind: string,
  language: Language,
): string {
  return `<!DOCTYPE html>
<html lang="${language === 'pseudo' ? 'en' : language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="/theme/${theme}.css">
<link rel="stylesheet" href="/webview/codicon.css">
<link rel="stylesheet" href="/media/audit.css">
<title>Svc</title>
</head>
<body class="${kind}" data-strings="${attribute(strings)}" data-state="${attribute(sentIn(state))}">
<script nonce="${nonce}">${language === 'pseudo' ? wrapFormats : ''}${fakeHost}</script>
<script type="module" nonce="${nonce}" src="/webview/audit.js"></script>
</body>
</html>`;
}

/** The data for the stub: a part of the log as text, because an attribute cannot hold bytes. */
function sentIn({ data: { rows, postures, refusals, events, ...status }, filter }: PreviewState): object {
  return { part: JSON.stringify(partOf({ rows, postures, refusals, events })), status, filter };
}

/** Records every call and answers it. */
const fakeHost = `
  const { part, status, filter } = JSON.parse(document.body.dataset.state);
  delete document.body.dataset.state;
  let kept = filter;
  window.calls = [];
  window.acquireVsCodeApi = () => ({
    getState: () => kept,
    setState: (value) => { kept = value; },
    postMessage: ({ id, method, params }) => {
      window.calls.push({ method, params });
      const parts = [new TextEncoder().encode(part)];
      if (method !== 'export') window.postMessage({ type: 'data', isNew: true, parts, status });
      window.postMessage({ type: 'reply', id });
    },
  });
`;
