// Another extension, as any can be installed beside ours: it uses our models, of which it knows the vendor and no more, and
// has tools that the panel may offer.
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

/** How many calls of the tool that never ends have begun, and been cancelled. */
const waits = { begun: 0, cancelled: 0 };

/** One line, which is too long and is cut in the middle of a token. */
function longLine() {
  const token = ['ghp', '_', 'a1B2'.repeat(9)].join('');
  return new vscode.LanguageModelTextPart(`${'x '.repeat(32 * 1024 - 8)}${token} ${'y '.repeat(4096)}`);
}

/** Some lines of a key, a token with a color inside it, and a link to a resource that has it in its address. */
function partsOfSecrets() {
  const line = 'Ab3dEfGhIjKlMn0pQrStUvWxYz12345678AbCdEfGhIjKlMnOpQrStUvWxYz+/9k';
  const token = ['ghp', '_', 'a1B2'.repeat(9)].join('');
  const texts = [
    `${line}\n${[...line].reverse().join('')}`,
    `${token.slice(0, 12)}\x1b[1;31m${token.slice(12)}`,
    `[resource: https://files.example/report?access_token=${token}]`,
  ];
  return texts.map((text) => new vscode.LanguageModelTextPart(text));
}

function registerTools() {
  return [
    vscode.lm.registerTool('test_weather_report', {
      invoke: (/** @type {{ input: { place: string } }} */ { input }) => {
        if (input.place === 'nowhere') throw new Error('There is no such place.');
        if (input.place === 'the vault') return new vscode.LanguageModelToolResult(partsOfSecrets());
        if (input.place === 'everywhere') return new vscode.LanguageModelToolResult([longLine()]);
        const text = `Rain in ${input.place}. key = ${['AKIA', 'IOSFODNN7ABCDEFG'].join('')}`;
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      },
    }),
    vscode.lm.registerTool('test_endless_wait', {
      invoke: (/** @type {unknown} */ _, token) =>
        new Promise(() => {
          waits.begun += 1;
          token.onCancellationRequested(() => {
            waits.cancelled += 1;
          });
        }),
    }),
  ];
}

exports.activate = (/** @type {{ subscriptions: unknown[] }} */ { subscriptions }) => {
  subscriptions.push(...registerTools());
  return { models, ask, waits: () => waits };
};
