import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { compliance, complianceFields } from '../../../src/policy/compliance/compliance.ts';
import { paletteFinds } from '../../tools/paletteMatch.ts';

interface Setting {
  readonly keywords?: readonly string[];
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8'));
const english: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.nls.json', 'utf8'));
const german: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.nls.de.json', 'utf8'));
const commands: readonly { readonly command: string; readonly title: string; readonly category: string }[] =
  contributes.commands;
const hidden = new Set(
  contributes.menus.commandPalette
    .filter(({ when }: { when: string }) => when === 'false')
    .map(({ command }: { command: string }) => command),
);

/** Words that users type, and the commands that they find, in the order of package.json. */
const typed = {
  en: {
    token: ['svc.setApiKey', 'svc.validateToken'],
    'api key': ['svc.setApiKey', 'svc.removeApiKey', 'svc.validateToken'],
    health: ['svc.checkHealth'],
    status: ['svc.checkHealth'],
    proxy: ['svc.diagnoseConnection'],
    certificate: ['svc.diagnoseConnection'],
    headers: ['svc.showPosture'],
    privacy: ['svc.showPosture'],
    completion: ['svc.resumeInlineCompletions', 'svc.toggleInlineCompletions'],
    inline: ['svc.resumeInlineCompletions', 'svc.toggleInlineCompletions'],
    mcp: ['svc.chooseTools'],
    hipaa: ['svc.changeComplianceSetting'],
    gdpr: ['svc.changeComplianceSetting'],
    region: ['svc.changeComplianceSetting'],
    clear: ['svc.clearReview', 'svc.purgeLocalData'],
    history: ['svc.showHistory', 'svc.purgeLocalData'],
    delete: ['svc.purgeLocalData'],
    commit: ['svc.addCommitTrailers', 'svc.generateCommitMessage'],
  },
  de: {
    token: ['svc.setApiKey', 'svc.validateToken'],
    schlüssel: ['svc.setApiKey', 'svc.removeApiKey', 'svc.validateToken'],
    health: ['svc.checkHealth'],
    proxy: ['svc.diagnoseConnection'],
    zertifikat: ['svc.diagnoseConnection'],
    header: ['svc.showPosture'],
    datenschutz: ['svc.showPosture'],
    vervollständigung: ['svc.resumeInlineCompletions', 'svc.toggleInlineCompletions'],
    mcp: ['svc.chooseTools'],
    hipaa: ['svc.changeComplianceSetting'],
    dsgvo: ['svc.changeComplianceSetting'],
    leeren: ['svc.purgeLocalData'],
    verlauf: ['svc.showHistory', 'svc.purgeLocalData'],
    commit: ['svc.addCommitTrailers', 'svc.generateCommitMessage'],
  },
} as const;

/** The same for the settings editor, which searches names, descriptions and keywords. */
const settingsTyped = {
  proxy: ['svc.network.caFile', 'svc.network.stack'],
  hipaa: ['svc.compliance.frameworks'],
  mcp: ['svc.tools.disabled', 'svc.tools.allowed'],
  completion: ['svc.inlineCompletions.enabled'],
  privacy: ['svc.compliance.dataResidency', 'svc.compliance.zeroRetention', 'svc.gate.preview'],
  headers: complianceFields.map((field) => compliance[field].setting),
  endpoint: ['svc.baseUrl', 'svc.connections', 'svc.connection'],
} as const;
const settingsTypedGerman = {
  vervollständigung: ['svc.inlineCompletions.enabled'],
  datenschutz: settingsTyped.privacy,
  dsgvo: ['svc.compliance.dataResidency', 'svc.compliance.frameworks'],
} as const;

function found(word: string, titles: Readonly<Record<string, string>>): readonly string[] {
  return commands
    .filter(({ command }) => !hidden.has(command))
    .filter(({ title, category }) => paletteFinds(word, `${category}: ${titles[title.slice(1, -1)]}`))
    .map(({ command }) => command);
}

/** The settings of whose keywords one begins with the word. */
function keyed(word: string, texts: Readonly<Record<string, string>>): readonly string[] {
  const groups: readonly { readonly properties: Readonly<Record<string, Setting>> }[] = contributes.configuration;
  return groups.flatMap(({ properties }) =>
    Object.entries(properties)
      .filter(([, { keywords = [] }]) =>
        keywords.some((keyword) =>
          (texts[keyword.slice(1, -1)] ?? keyword)
            .toLowerCase()
            .split(' ')
            .some((one) => one.startsWith(word)),
        ),
      )
      .map(([name]) => name),
  );
}

describe('a word that users type', () => {
  for (const [language, words, titles] of [
    ['English', typed.en, english],
    ['German', typed.de, german],
  ] as const) {
    for (const [word, ids] of Object.entries(words)) {
      it(`finds the right commands in the palette, and no others: ${word} (${language})`, () => {
        assert.deepEqual(found(word, titles), ids);
      });
    }
  }

  for (const [language, words, texts] of [
    ['English', settingsTyped, english],
    ['German', settingsTypedGerman, german],
  ] as const) {
    for (const [word, ids] of Object.entries(words)) {
      it(`is a keyword of the right settings, and of no others: ${word} (${language})`, () => {
        assert.deepEqual(keyed(word, texts), ids);
      });
    }
  }

  it('finds nothing if no command has the words', () => {
    for (const word of ['telemetry', 'sign in', 'extension', 'theme', 'agent mode', 'subscription']) {
      assert.deepEqual(found(word, english), [], word);
    }
  });

  it('is matched as VS Code does: by the beginnings of words, in order', () => {
    assert.ok(paletteFinds('svc tok', 'Svc: Set API Key (Token)…'));
    assert.ok(paletteFinds('setkey', 'Svc: Set API Key (Token)…'));
    assert.ok(paletteFinds('PI KEY', 'Svc: Set API Key (Token)…'));
    assert.ok(!paletteFinds('key set', 'Svc: Set API Key (Token)…'));
    assert.ok(!paletteFinds('tkn', 'Svc: Set API Key (Token)…'));
  });
});
