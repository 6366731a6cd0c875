// Runs in the extension host. Requests edits of a file repeatedly, and writes to the file that SVC_BENCH_RESULTS names
// when each proposal was ready, and how often VS Code had applied a new text of it.
const { writeFileSync } = require('node:fs');
const vscode = require('vscode');

const asked = JSON.parse(process.env.SVC_BENCH_PROPOSAL ?? '{}');

exports.run = async () => {
  const results = await measure().catch((error) => ({ error: String(error.stack) }));
  writeFileSync(process.env.SVC_BENCH_RESULTS ?? '', JSON.stringify(results));
};

async function measure() {
  const settings = vscode.workspace.getConfiguration();
  await settings.update('svc.baseUrl', asked.baseUrl, vscode.ConfigurationTarget.Global);
  await vscode.extensions.getExtension('svc.svc-coder').activate();
  // When the view is shown, the administrator's policy has been read.
  await vscode.commands.executeCommand('svc.showPolicy');
  const stored = await vscode.commands.executeCommand('svc.setApiKey', { source: 'environment' });
  if (!stored.ok) throw new Error(`No key: ${JSON.stringify(stored)}`);
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, asked.file));
  const { uri, lineCount } = document;
  const shown = [];
  for (let edit = 0; edit < asked.edits; edit++) {
    const draws = countDraws();
    const options = { instruction: asked.instruction, uri: uri.toString(), start: 0, end: lineCount };
    const startedAt = performance.timeOrigin + performance.now();
    const result = await vscode.commands.executeCommand('svc.editCode', options);
    const at = performance.timeOrigin + performance.now();
    const proposed = proposal();
    const { ok, error } = result;
    if (!ok) throw new Error(`No proposal: ${JSON.stringify(error)}`);
    if (proposed?.getText() !== asked.expected) throw new Error(`Another text: ${describe(proposed)}`);
    const lenses = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', proposed.uri);
    const hunks = lenses.filter(({ command }) => command?.command === 'svc.acceptHunk').length;
    shown.push({ startedAt, at, draws: draws(), hunks });
    await vscode.commands.executeCommand('svc.rejectProposal');
  }
  return { shown };
}

/** The text of the only open diff. VS Code keeps documents of closed ones for a while. */
function proposal() {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  const shown = inputs.find((input) => input instanceof vscode.TabInputTextDiff)?.modified.toString();
  return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === shown);
}

function describe(document) {
  const lines = asked.expected.split('\n');
  const text = document?.getText().split('\n') ?? [];
  const other = lines.findIndex((line, index) => line !== text[index]);
  return JSON.stringify({
    lines: text.length,
    other,
    is: text[other],
    tab: vscode.window.tabGroups.activeTabGroup.activeTab?.label,
  });
}

/** Counts how often a proposal was redrawn. */
function countDraws() {
  let count = 0;
  const listening = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    if (document.uri.scheme === 'svc-proposal') count += 1;
  });
  return () => {
    listening.dispose();
    return count;
  };
}
