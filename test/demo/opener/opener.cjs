// Part of the demo only. VS Code opens the First Steps of an extension by itself where a user installs it in an open window,
// but the demo installs it before there is a window.
const { commands } = require('vscode');

exports.activate = async ({ globalState }) => {
  if (globalState.get('hasOpened') === true) return;
  await globalState.update('hasOpened', true);
  await commands.executeCommand('svc.openChat');
  await commands.executeCommand('svc.showFirstSteps');
};
