import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

interface PageParts {
  /** The texts of the page, for its `data-strings` attribute. */
  readonly strings: object;
  /** The name of the script in dist/webview. */
  readonly script: string;
  /** The names of the stylesheets in media. */
  readonly styles: readonly string[];
}

/**
 * Returns the HTML of one of our pages. The page can load only our own resources; scripts need the nonce, and no text
 * becomes HTML.
 */
export function pageHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  { strings, script, styles }: PageParts,
): string {
  const nonce = randomBytes(16).toString('base64url');
  const uri = (...path: string[]): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  const csp = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${uri('dist', 'webview', 'codicon.css')}">
${styles.map((style) => `<link rel="stylesheet" href="${uri('media', style)}">`).join('\n')}
<title>Svc</title>
</head>
<body data-strings="${attribute(JSON.stringify(strings))}">
<script type="module" nonce="${nonce}" src="${uri('dist', 'webview', script)}"></script>
</body>
</html>`;
}

function attribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
