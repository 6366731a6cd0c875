import { keyFilter } from '../../../src/client/answer/withoutKey.ts';
import { called, type Readers, text } from './reader.ts';

const json = ['{"a":"b",', '{"svc":{', '"\\u0061', '[1,', '{"error":{"message":"', '-1e9,'];
const address = ['http://', 'https://a:b@c', '//a@', '/api/v1', 'localhost:', '127.0.0.1', '[::1]'];
const settings = ['{"svc.a":1,', '"svc.compliance":{', '"[a]":{', '<<<<<<< a\n', '// a\n', '{"settings":{'];
const filter = keyFilter(['svc_ent_abcdefghijklmnop']);
const comments = ['// svc-ignore a: b\n', '# svc-ignore ', '/* svc-ignore a */', '<!-- svc-ignore ', '//////', '-- '];
const fence = ['```a\n', '~~~', '    ```\n', '> ```\n', '- ```\n', '`````'];
const loose = [
  '{"findings":[',
  '{"findings":[{',
  '{"rule":"a","quote":"b",',
  '{"rule":"a"},',
  "{'rule': 'a",
  '",\n',
  '", "',
  '"}',
  '{a:',
  '[{',
  '"\\',
  '“a”:',
];
const formulas = ['\\frac{a}{b}', '\\sqrt[', 'x^{', '\\left(', '\\begin{matrix}a&', '\\text{', '\\hspace{-9em}', '{a}'];
const markdown = [
  ...fence,
  '**a',
  '[a]: b\n',
  '![a',
  '|a|b|\n|-|-|\n',
  '- a\n  - ',
  '1) a\n',
  '<b>',
  '&amp;',
  'a\n===\n',
  '[a](<b',
  '***',
  '_a_',
  '[^a]',
];

/** The rooms `client`, `policy`, `protocol`, `review`, and the plain parts of `util` and `webview`. */
export const others: Readers = {
  'client/answer/errorBody.ts': {
    readErrorBody: called(
      (read, given) => read(given, filter, 400),
      ...json,
      '{"error":{"metadata":{"raw":"',
      '<html>',
      'svc_ent_',
    ),
  },
  'client/answer/lastingRefusal.ts': {
    saysNoCredit: text('insufficient ', 'credits ', 'balance ', 'used all a ', '余额', '.'),
  },
  'client/answer/readJson.ts': { readJson: text(...json), isCutShort: text(...json), withoutNonNumbers: text(...json) },
  'client/answer/withoutKey.ts': {
    keyFilter: called(
      (read, given) => (read([given.slice(0, 100)]) as typeof filter).text(given),
      'svc_ent_',
      'Bearer ',
    ),
  },
  'client/chatBody.ts': { readChatBody: text(...json, '{"messages":[') },
  'client/serviceError.ts': {
    fromResponse: called(
      (read, given) => {
        const head = { status: 500, headers: { 'content-type': given.slice(0, 1_000) } };
        return read(head, given, { url: new URL('https://a.example'), filter, now: 0 });
      },
      ...json,
    ),
    errorInAnswer: called((read, given) => read(given, filter), ...json),
  },
  'policy/connection.ts': { completeAddress: text(...address), parseBaseUrl: text(...address) },
  'policy/compliance/compliance.ts': { fieldOfHeader: text('Svc-') },
  'policy/compliance/headerLabel.ts': {
    headerLabel: called((read, given) => read([{ name: 'Svc-Region', value: given }], {}), 'eu'),
    shortHeaderLabel: called((read, given) => read([{ name: 'Svc-Region', value: given }], {}), 'eu'),
  },
  'policy/files/duplicateKey.ts': {
    duplicateKey: called((read, given) => read(JSON.stringify({ a: given, [given]: [given] })), ...json),
  },
  'policy/files/keyInSettings.ts': { withoutKeys: text('svc_ent_'), lineOfKey: text('svc_ent_', '\n') },
  'policy/files/settingsText.ts': { readSettingsText: called((read, given) => read(given, 'settings'), ...settings) },
  'policy/managed/parseDelivered.ts': {
    parseDelivered: called((read, given) => read(given, '1.0.0'), ...json, '{"version":1,"serial":1,"policy":{'),
  },
  'policy/managed/parseManagedPolicy.ts': {
    jsonIn: text(...json, '{"version":1,"rules":['),
    parseManagedPolicy: called((read, given) => read(given, '1.0.0'), ...json, '{"version":1,"rules":['),
  },
  'policy/managed/instructionsPolicy.ts': { areInstructions: text('\0', ' ', 'ü', '\u{1f600}', '\ud800') },
  'policy/managed/managedRules.ts': {
    isAllowedModel: called((read, given) => read(given, ['a*', '*b', given.slice(0, 1_000)]), 'a*'),
  },
  'policy/modelWindows.ts': {
    modelOfWindow: text('a: 1', 'a=1'),
    withModelWindow: called((read, given) => read(given.split('\n'), 'a', 1), 'a: 1\n'),
  },
  'protocol/linkTarget.ts': { linkTarget: text(...address, 'file:///', 'a.ts#L1', 'a.ts:1:2', '%41') },
  'review/answer/looseJson.ts': {
    readLoose: called((read, given) => read(given, 0), ...loose),
    afterBlanks: called((read, given) => read(given, 0), '/* ', '// a\n', '#\n', ', '),
  },
  'review/answer/rawFindings.ts': { rawFindings: called((read, given) => read(given, 200), ...loose, ...fence) },
  'review/answer/readAnswer.ts': {
    readAnswer: called(
      (read, given) => read(given, { rules: [], names: ['a.ts'], finishReason: 'stop' }),
      ...loose,
      '<think>',
      '<think></think>',
      ...fence,
    ),
    isSameFile: called((read, given) => read(given, 'src/a.ts'), './', '\\', 'a.ts:1-2'),
  },
  'review/answer/readFiles.ts': {
    readFiles: called(
      (read, given) => {
        const files = ['a.ts', 'b.ts'].map((name) => ({ name, text: given.slice(0, 16_000) }));
        return read(given, { rules: [], files, finishReason: 'stop' });
      },
      ...loose,
      '{"files":[{"file":"a.ts","findings":[',
      ']},{"file":"b.ts","findings":[',
      '"quote":"',
      '<think>',
    ),
  },
  'review/catalog.ts': { ruleOf: text('hipaa-') },
  'review/languages.ts': { commentMarks: text('python'), languageOf: text('.ts', 'Dockerfile') },
  'review/markdown.ts': { plain: text(...markdown) },
  'review/split.ts': {
    splitFile: text('}\n', 'function a() {\n'),
    splitPart: called((read, given) => {
      const lines = given.split('\n').length;
      return read(given, { start: 0, end: given.length, firstLine: 1, lastLine: lines }, 1_000);
    }, '}\n'),
  },
  'review/findings/follow.ts': {
    follow: called((read, given) => {
      const changes = [{ start: 0, end: 5, text: given.slice(0, 100) }];
      return read({ start: 10, end: 400, text: given.slice(10, 400) }, changes, given);
    }),
  },
  'review/findings/fold.ts': { foldBlanks: text('“', '\u00a0'), foldMarks: text('“', '–') },
  'review/findings/quoteParts.ts': {
    variantsOf: text('1: a\n', '+a\n', '1 |', '`'),
    piecesOf: called((read, given) => read(given, /\[masked: [\w.-]{1,60}\]/), '...', '// ...\n', '[masked: a]', '…'),
    firstLineOf: text('{\n', '}\n'),
  },
  'review/findings/locate.ts': {
    createLocator: called((read, given) => {
      const { locate } = read(given) as { locate(quote: string, line: number | undefined): unknown };
      return [given.slice(5, 400), given.slice(-300), `${given.slice(0, 300)}x`, 'a', `${given.slice(0, 99)}...y`].map(
        (quote) => locate(quote, 1),
      );
    }),
    lineStarts: text(),
  },
  'review/findings/placed.ts': {
    placeFindings: called((read, given) => {
      const finding = { rule: 'a', severity: 'high', quote: given.slice(20, 400), message: 'a' };
      const file = { uri: 'file:///a.ts', name: 'a.ts', languageId: 'typescript', text: given };
      return read(file, Array(50).fill(finding), () => 'a');
    }),
  },
  'review/findings/suppress.ts': {
    findSuppressions: called((read, given) => read(given, 'typescript'), ...comments),
    suppressionComment: called((read, given) => read('typescript', 'a', given), '*/', '-->'),
  },
  'review/findings/visible.ts': { visibleLine: text('\u200b', '\u202e'), visibleText: text('\u200b', '\u202e') },
  'session/tools/stopRules.ts': { callKey: called((read, given) => read(given, { [given]: [given, { given }] })) },
  'session/tools/writtenCall.ts': {
    hasWrittenCall: text('<tool_call>\n', '{"name":"a",', ...fence, '<|', '[TOOL_', '  '),
  },
  'util/text/fence.ts': { fenceFor: text(...fence) },
  'util/text/joiners.ts': {
    isSeenInContext: called(
      (read, given) => [...given.slice(0, 50_000)].map((each, at) => read(given, at, each)),
      'क्\u200d',
      'می\u200c',
      '🏴\u{e0067}\u{e0062}',
      '\ufe0f',
      '\u0301',
    ),
  },
  'util/text/thoughts.ts': { withoutThoughts: text('<think>', '</think>', '<think></think>', ' <reasoning>') },
  'util/text/lineDiff.ts': {
    matchLines: called((read, given) => read(given.split('\n'), given.split('\n').reverse()), 'a\nb\n', 'a\na\nb\n'),
    matchLinesInSlices: called(
      (read, given) => read(given.split('\n'), given.split('\n').reverse()),
      'a\nb\n',
      'a\na\nb\n',
    ),
  },
  'webview/composer/completion.ts': {
    triggerAt: called((read, given) => read(given, given.length), '@a', '/a'),
  },
  'webview/composer/draft.ts': {
    commandIn: text('/a '),
    wasSent: called((wasSent, message) =>
      wasSent(message, { conversationId: 'a', turnId: '' }, 'a', [{ id: 'b', prompt: message }]),
    ),
  },
  'webview/composer/dropped.ts': { urisIn: called((read, given) => read(() => given), 'file:///a\r\n', '#a\n') },
  'webview/composer/pasted.ts': { messageOf: called((read, given) => read(given, [given]), ...fence) },
  'webview/composer/promptHistory.ts': {
    recall: called((read, given) => read(given.split('\n'), given, undefined, 'older')),
  },
  'webview/find/pattern.ts': {
    patternOf: called((read, given) => read(given.slice(0, 1_000)), '(', '.*'),
    sourcePatternOf: called((read, given) => read(given.slice(0, 1_000)), '**', '  '),
    matchesIn: called((read, given) => read(given, /a a/giu)),
    countIn: called((read, given) => read(given, /a a/giu)),
  },
  'webview/longText.ts': {
    isLarger: called((read, given) => read(given, 10)),
    bytesOf: text(),
    beginningOf: text(),
    partsOf: text(),
  },
  'webview/markdown/codeBlock.ts': { fileOf: text('a title="', "title='", 'a\t') },
  'webview/markdown/fence.ts': {
    fenceMark: text(...fence),
    isClosing: called((read, given) => read(given, { character: '`', length: 3, indent: 0 }), ...fence),
    unindented: called((read, given) => read(given, 3)),
    countFences: text(...fence),
    endsInFence: text(...fence),
  },
  'webview/markdown/growth.ts': { grow: called((read, given) => read(given, undefined), ...markdown) },
  'webview/markdown/highlight/highlight.ts': { languageOf: text('{.language-', 'a,') },
  'webview/markdown/math/allowed.ts': { emOf: text('1e', '.5', 'em') },
  'webview/markdown/math/typeset.ts': { typeset: called((read, given) => read(given, true), ...formulas) },
  'webview/markdown/parser.ts': { parse: text(...markdown) },
  'webview/markdown/slices.ts': { slicesOf: text('/*', '*/\n', '"""\n') },
  'webview/markdown/syntax/formulaText.ts': {
    hasTex: text(...formulas),
    isFormula: called((read, given) => read(given, '$'), ...formulas),
  },
  'webview/text.ts': {
    fill: called((read, given) => read(given, 1), '{0}', '{'),
    withReordering: text('\u202e', '\u2066a', '\u200f'),
  },
};
