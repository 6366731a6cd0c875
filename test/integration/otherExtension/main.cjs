// Another extension that uses our models, as any can that is installed beside ours: it knows the vendor and no more.
const vscode = require('vscode');

/** Names of the models it finds, as a person would see them. */
async function models() {
  return (await vscode.lm.selectChatModels({ vendor: 'svc' })).map(({ id, name }) => ({ id, name }));
}

async function ask(/** @type {string} */ question) {
  const [model] = await vscode.lm.selectChatModels({ vendor: 'svc', id: 'svc/auto' });
  const messages = [vscode.LanguageModelChatMessage.User(question)];
  const { text } = await model.sendRequest(messages, {}, new vscode.CancellationTokenSource().token);
  let answer = '';
  for await (const piece of text) answer += piece;
  return answer;
}

exports.activate = () => ({ models, ask });
