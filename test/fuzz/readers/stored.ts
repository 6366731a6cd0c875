import { createHash } from 'node:crypto';
import { bytes, called, type Readers, text } from './reader.ts';

const json = ['{"a":"b",', '{"kind":"', '"\\u0061', '[1,'];
const line = ['{"session":"a","seq":1,', '","mac":"abc"}', '"prev":"', '{"ledger":"', '"kind":"started"'];
const note = [
  'svc/0123456789abcdef0123456789abcdef\n',
  '1\n',
  '— a AAAA\n',
  '\n\n',
  'extra AAAA\n',
  'index 1\n',
  'c2sp.org/tlog-proof@v1\n',
];
const policy = ['log a b\n', 'witness a b\n', 'quorum a\n', '# a\n', 'quorum none\n'];
const key = createHash('sha256').update('a').digest();
const fence = ['```a\n', '~~~', '    ```\n', '> ```\n', '- ```\n', '`````'];
const hidden = ['\u200b', '\u202e', '\u{e0061}', '"$schema": "http://a",\n', '"a": "b', "'a':'b'"];
const prompt = ['---\n', 'name: a\n', 'description: "', '- a\n', '  a: b\n', '---\na', 'tools: [a, ', 'a: |\n  b\n'];
const place = { before: 'const a = ', after: ')\nnext' };
const attachment = { uri: 'file:///a.ts', label: 'a.ts', languageId: 'typescript', text: 'a\n' };

/** The rooms `evidence`, `session` and `store`. */
export const stored: Readers = {
  'evidence/base64.ts': { fromBase64: text('QUJD', 'QQ=='), hashFromBase64: text('QUJD') },
  'evidence/cli/cosign.ts': {
    statesIn: called((read, given) => read(given, 'a'), `svc/${'0'.repeat(32)} 1 ${'A'.repeat(43)}=\n`, '\n', ' '),
  },
  'evidence/checkpoint.ts': {
    parseCheckpoint: text(...note),
    parseCheckpointLine: text(...note, ...line),
    checkpointLine: called((read, given) => read('a', given), ...note),
  },
  'evidence/ledgerRecords.ts': { parseLedgerRecord: text(...line) },
  'evidence/line.ts': {
    isCanonical: called((read, given) => read(given, { given })),
    asciiJson: text('{"a":"ä\u007f', ...json),
    leafOf: text(),
    frameOf: bytes(...line),
    frameAt: called((read, given) => read(Buffer.from(given), 0, given.length), ...line),
    nameAt: called((read, given) => read(Buffer.from(given), 0, given.length), ...line),
    ledgerNamedAt: called((read, given) => read(Buffer.from(given), 0, given.length), ...line),
    isOrigin: text('svc/0123456789abcdef'),
  },
  'evidence/jsonObject.ts': { jsonObject: text('{"a":1}', '[', '{') },
  'evidence/logId.ts': { logIdIn: text('svc/0123456789abcdef') },
  'evidence/note.ts': { parseVkey: text('a+01234567+AAAA', '+'), parseNote: text(...note) },
  'evidence/policy.ts': { parsePolicy: bytes(...policy) },
  'evidence/proof.ts': {
    checkProof: called((read, given) => read(given, given, { logs: [], cosigner: null }), ...note),
  },
  'evidence/provenance/addedLines.ts': {
    addedLines: called((read, given) => read(given, given.split('\n').reverse().join('\n')), 'a\nb\n', ' a\n'),
    linesIn: text(),
  },
  'evidence/provenance/aiNote.ts': {
    parseNote: bytes('a.ts\n  b 1-2\n', '---\n{"', '"a b"\n', '  0123 1,2-3\n'),
    parseJoinedNotes: bytes('a.ts\n  b 1-2\n---\n{"a":1}\n', '---\n', '}\n'),
    canName: text('"a"', 'a b'),
  },
  'evidence/provenance/lineKeys.ts': {
    withoutSpace: text(),
    tagOf: called((read, given) => read(key, given)),
    matchOf: called((read, given) => read(key, given)),
    sealLines: called((read, given) => read(key, given.split('\n').slice(0, 2_000))),
  },
  'evidence/provenance/trailers.ts': {
    splitTrailers: text('A: b\n', 'A: b\n c\n', '\n'),
    withTrailers: called(
      (read, given) => read(given, [{ name: 'A', value: 'b' }]),
      'A: b\n',
      'A: b\n c\n',
      '# a\n',
      '(cherry picked',
    ),
    assistedBy: text(),
  },
  'evidence/verify/files.ts': { expectedOf: text('audit-', '.jsonl', '2026-01-01') },
  'evidence/verify/seen.ts': { parseSeen: called((read, given) => read(given, 'a'), 'a 1 AAAA\n', 'a '.repeat(20)) },
  'send/budget/contextWindow.ts': {
    declaredWindow: called((read, given) => read('a', given.split('\n')), 'a: 1\n'),
  },
  'send/budget/sizes.ts': { bytesOfPart: text(), sizeOf: text() },
  'send/budget/tokens.ts': { estimateTokens: text('aB3', '日本', 'a_b') },
  'session/conversation/continuation.ts': {
    continuation: called((read, given) => (read(given) as (text: string | null) => string)(given), ...fence),
  },
  'session/conversation/inertMarkdown.ts': { inertMarkdown: text(...fence, '`a`|', '\\![', '``a` ', 'www.a`') },
  'send/message/receipt.ts': { shortenedTo: text(), bounded: text('\ufffd', 'é') },
  'session/conversation/summarize.ts': { isShorter: called((read, given) => read(given, [])) },
  'session/conversation/thinking.ts': { thinkingWith: called((read, given) => read(undefined, given, false)) },
  'session/inline/answerCode.ts': {
    codeOfAnswer: called(
      (read, given) => read(given, place),
      ...fence,
      '<think>',
      '<EOT>',
      '<|endoftext|>',
      'Here is a:\n',
      '<｜',
    ),
  },
  'session/inline/lostIndentation.ts': {
    withLostIndentation: called((read, given) => read(given, `${given}\n    `), '{\n', '}\n', ' a\n', 'def a\n'),
  },
  'session/inline/insertion.ts': {
    begunInsertion: called((read, given) => read(given, { before: given, after: '' }), ...fence, 'const a = '),
    insertionFrom: called((read, given) => read(given, place), ...fence, 'const a = '),
    isEnough: called((read, given) => read(given, place), ...fence),
  },
  'session/inline/place.ts': {
    placeIn: called((read, given) => read(given, given)),
    autoClosed: text(')]', ');'),
    hasInOrder: called((read, given) => read(given, given)),
  },
  'session/prompts/codeWords.ts': { fenceWords: called((read, given) => read([given]), ...fence) },
  'session/prompts/commentText.ts': { commentText: text('/* a\n', ' * a\n', '// a\n', '<!--', '"""', '-- a\n') },
  'session/prompts/editPrompts.ts': {
    editParts: called((read, given) => read(given, [{ ...attachment, text: given }], []), ...fence),
    commitMessage: text(...fence, 'a: b\n\n', '# a\n', '"a"'),
  },
  'session/prompts/fences.ts': { blocksIn: called((read, given) => read(given, true), ...fence) },
  'session/prompts/hiddenText.ts': {
    hiddenCharacters: called((read, given) => read(given.split('\n')), ...hidden),
    withHiddenShown: text(...hidden, '👨\u200d👩'),
    remoteSchemas: called((read, given) => read(given.split('\n')), ...hidden),
  },
  'send/message/quote.ts': {
    quote: called((read, given) => read({ ...attachment, text: given }), ...fence),
  },
  'send/identifier.ts': { identifier: text('aB', 'a_b-') },
  'session/prompts/promptFile.ts': { parsePromptFile: called((read, given) => read(given, 'a'), ...prompt) },
  'session/prompts/prompts.ts': {
    slashText: called((read, given) => read('fix', given)),
    explainText: called((read, given) => read(given, null, true)),
    withWords: called((read, given) => read('a', given)),
    slashIn: text('/a ', '/a-'),
    generateParts: called((read, given) => read(given, 'typescript', { around: null })),
  },
  'session/prompts/wholePrompt.ts': {
    wholePrompt: called((read, given) => read([given], { mode: 'edit', places: 1, lines: 1 }), ...fence),
    wholeOfFileParts: called(
      (read, given) =>
        read({ info: given, text: given }, { ...attachment, text: given }, [], { mode: 'file', places: 1, lines: 1 }),
      ...fence,
    ),
    asWritten: called((read, given) => read([given], given), ...fence),
  },
  'store/audit/auditLine.ts': { safeParseRecord: text(...line, ...json) },
  'store/audit/delivery/logLines.ts': { deliverable: bytes(...line) },
  'store/conversations/conversationFile.ts': {
    contentOf: called(
      (read, given) => read(given, 'a'),
      ...json,
      '{"version":3,"conversation":{"turns":[{"question":{',
    ),
  },
  'store/conversations/conversationFolder.ts': { idOf: text('.json') },
  'store/conversations/conversationMerge.ts': {
    renamed: called((read, given) => read({ turns: [] }, given, 0)),
    titleText: text('\u2028'),
  },
  'store/conversations/conversationText.ts': {
    stampIn: text('{"version":1,"stamp":"'),
    summaryIn: called(
      (read, given) => read(given, given.length, 'a'),
      '{"version":1,"stamp":"0123456789abcdef","bytes":"1", "head":',
    ),
  },
};
