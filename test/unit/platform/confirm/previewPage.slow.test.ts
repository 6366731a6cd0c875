import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ToolOffer } from '../../../../src/client/chat.ts';
import { chatRequest } from '../../../../src/client/wireRequest.ts';
import { maskText, scanText } from '../../../../src/gate/secrets/scanner.ts';
import type { MarkedPage, PageMark } from '../../../../src/platform/confirm/markedPage.ts';
import { shortenedBy } from '../../../../src/send/budget/leftOut.ts';
import type { Preview } from '../../../../src/send/confirmation.ts';
import { examine } from '../../../../src/send/examine.ts';
import type { OutgoingMessage } from '../../../../src/send/outgoing.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { attachment } from '../../session/attachment.ts';
import { about, preview } from '../../session/fakeDispatch.ts';

const key = 'svc_ent_0123456789abcdef0123';

type Message = Partial<OutgoingMessage> & Pick<OutgoingMessage, 'parts'>;

interface Shown {
  readonly preview: Preview;
  readonly page: MarkedPage;
  /** The lines before the body. */
  readonly lines: readonly string[];
}

/** The page of a request with these messages, made as before sending. */
async function show(given: readonly Message[], form: 'masked' | 'asIs' = 'masked', offer?: ToolOffer): Promise<Shown> {
  const { previewPage } = await hostModule<typeof import('../../../../src/platform/confirm/previewPage.ts')>(
    'src/platform/confirm/previewPage.ts',
    'en',
  );
  const messages = given.map((message) => ({ role: 'user' as const, secrets: 'ask' as const, ...message }));
  const rules = { scanner: { scanText, maskText }, mayUnmask: true, excluded: new Set<never>(), destination: '' };
  const { [form]: examined } = await examine({ messages, ...(offer === undefined ? {} : { offer }) }, rules);
  const request = chatRequest(about, {
    ...{ model: 'svc/auto', maxTokens: 100, temperature: null, stream: true },
    messages: examined.messages,
    ...(examined.offer === undefined ? {} : { offer: examined.offer }),
  });
  const { masked, unmasked, parts } = examined;
  const made = { ...preview, request, masked, unmasked, parts };
  const page = previewPage(made);
  return { preview: made, page, lines: page.text.slice(0, -request.body.length).split('\n') };
}

/** What is marked, as it reads on the page. */
function marked({ page }: Shown, kind: PageMark['kind']): readonly string[] {
  const lines = page.text.split('\n');
  const marks = page.marks.filter((mark) => mark.kind === kind);
  return marks.map(({ line, start, end }) => (lines[line] ?? '').slice(start, end));
}

const titles = ({ page }: Shown): readonly string[] =>
  page.headings.map(({ title, level }) => '  '.repeat(level) + title);

/** A line that others wrote is quoted; all others are ours. */
const isQuoted = (line: string): boolean => line.startsWith('      │ ');

describe('the request preview', () => {
  it('lists what is left out of the conversation, in lines of its own', async () => {
    const { previewPage } = await hostModule<typeof import('../../../../src/platform/confirm/previewPage.ts')>(
      'src/platform/confirm/previewPage.ts',
      'en',
    );
    const part = { turn: 'a', kind: 'attachment', bytes: 2048 } as const;
    const parts = [
      { ...part, label: 'src/pay.ts', question: 'What is\nMessages (9)' },
      { ...part, label: 'a\nMasked\u2028b', question: '' },
    ];
    const lines = previewPage({ ...preview, shortened: shortenedBy(parts, 640) }).text.split(/\n|\u2028/);
    const at = lines.indexOf('Left out to stay within the limit');
    assert.ok(at > 0);
    assert.equal(lines[at + 1]?.trim(), 'src/pay.ts, 2 kB – What is Messages (9)');
    assert.ok(!lines.some((line) => /^\s*(Masked|Messages \(9\))/.test(line)), lines.join('\n'));
  });

  it('lists the files and the text of excluded files that are not included, each once', async () => {
    const { previewPage } = await hostModule<typeof import('../../../../src/platform/confirm/previewPage.ts')>(
      'src/platform/confirm/previewPage.ts',
      'en',
    );
    const linesOf = (more: Partial<Preview>): readonly string[] => {
      const lines = previewPage({ ...preview, ...more }).text.split('\n');
      const at = lines.indexOf('Not included');
      return at === -1 ? [] : lines.slice(at + 1, lines.indexOf('', at)).map((line) => line.trim());
    };
    assert.deepEqual(linesOf({}), []);
    const leftOut = [
      { files: ['config/.env'], lines: 12, where: 'run_in_terminal' },
      { files: ['config/.env'], lines: 12, where: 'run_in_terminal' },
      { files: ['config/.env', 'b/.npmrc'], lines: 1, where: null },
      { files: ['config/.env'], lines: null, where: 'src/a\nMasked' },
    ];
    assert.deepEqual(linesOf({ excluded: ['secrets.yml'], leftOut }), [
      'secrets.yml',
      '12 lines from config/.env, in run_in_terminal',
      '1 line from config/.env, b/.npmrc',
      'a value from config/.env, in src/a[U+000A]Masked',
    ]);
  });

  it('says how many excluded files are recognized', async () => {
    const { previewPage } = await hostModule<typeof import('../../../../src/platform/confirm/previewPage.ts')>(
      'src/platform/confirm/previewPage.ts',
      'en',
    );
    const words = '1 of 2 excluded files are recognized by their content; not recognized: 1 binary';
    const lines = previewPage({
      ...preview,
      recognition: { is: 'partly', files: 2, recognized: 1, others: 0, words },
    }).text.split('\n');
    assert.equal(lines[lines.indexOf('Excluded files') + 1], `  ${words}`);
    assert.ok(!previewPage(preview).text.includes('Excluded files'));
  });

  it('names the files that are not sent again, once, and shows the line in their place', async () => {
    const file = () => attachment({ label: 'src/pay.ts', text: 'pay()' });
    const shown = await show([{ parts: ['One', file()] }, { parts: ['Two', file()] }, { parts: ['Three', file()] }]);
    const at = shown.lines.indexOf('Not sent again (as above)');
    assert.deepEqual(shown.lines.slice(at + 1, at + 3), ['  src/pay.ts', '']);
    assert.equal(shown.lines.filter((line) => line.endsWith('│ [src/pay.ts: as above]')).length, 2);
    assert.equal(titles(shown).filter((title) => title.trim() === 'src/pay.ts (5 bytes)').length, 1);
    assert.ok(!(await show([{ parts: [file()] }])).lines.includes('Not sent again (as above)'));
  });

  it('names the files of which only changes are sent, and shows exactly these', async () => {
    const text = (version: number): string => `${'some words\n'.repeat(100)}${version}\n`;
    const file = (version: number) => attachment({ label: 'src/pay.ts', text: text(version), marks: [] });
    const shown = await show([{ parts: ['One', file(1)] }, { parts: ['Two', file(2)] }]);
    const at = shown.lines.indexOf('Only changes since an earlier message');
    assert.deepEqual(shown.lines.slice(at + 1, at + 3), ['  src/pay.ts', '']);
    assert.ok(
      titles(shown).some((title) => /^\s*src\/pay\.ts \(changes, \d+ bytes\)$/.test(title)),
      titles(shown).join('\n'),
    );
    const lines = shown.lines.map((line) => line.split('│ ')[1]);
    assert.deepEqual(lines.slice(lines.indexOf('```diff') + 5, lines.indexOf('```diff') + 7), ['-1', '+2']);
    const one = await show([{ parts: [file(1)] }]);
    assert.ok(!one.lines.includes('Only changes since an earlier message'));
  });

  it('tells what precedes a question from the question', async () => {
    const file = attachment({ label: 'AGENTS.md', text: 'Be brief.' });
    const other = attachment({ label: 'AGENTS.md', text: 'Be short.' });
    const shown = await show([
      { lead: ['The rules', file], parts: ['Why?', other] },
      { role: 'assistant', parts: ['Because.'] },
      { parts: ['More'] },
    ]);
    assert.deepEqual(titles(shown).slice(3, -3), [
      '  Message 1 of 3: user, 93 bytes',
      '    Rules for the model',
      '    AGENTS.md (9 bytes)',
      '    Question',
      '    AGENTS.md (9 bytes)',
      '  Message 2 of 3: assistant, 8 bytes',
      '  Message 3 of 3: user, 4 bytes',
    ]);
  });

  it('shows messages that are sent as one, and calls that are sent as text, as they are sent', async () => {
    const call = { id: 'c1', name: 'read_file', input: { path: 'a.ts' } };
    const shown = await show([
      { parts: ['One'] },
      { parts: ['Two'] },
      { role: 'assistant', parts: ['I read it.'], toolCalls: [call] },
      { role: 'tool', parts: ['the text'], label: 'read_file', toolCallId: 'c1' },
    ]);
    assert.deepEqual(titles(shown).slice(3, -3), [
      '  Message 1 of 3: user, 8 bytes',
      '  Message 2 of 3: assistant, 41 bytes',
      '  Message 3 of 3: user, 31 bytes',
    ]);
    const text = shown.lines.join('\n');
    for (const line of ['One', 'Two', '[called read_file]', 'path: a.ts', '[result of read_file]', 'the text'])
      assert.ok(text.includes(`      │ ${line}`), line);
  });

  it('shows messages, files, parameters and headers to read, then the exact body', async () => {
    const file = attachment({ label: 'src/pay.ts:3-4', text: 'const a = 1;\nconst b = 2;', firstLine: 3 });
    const call = { id: 'c1', name: 'read_file', input: { path: 'a.ts', note: 'two\nlines' } };
    const tools = [{ name: 'read_file', description: 'Reads a file.' }];
    const shown = await show(
      [
        { parts: ['Explain this.', file] },
        { role: 'assistant', parts: ['I read it.'], secrets: 'mask', toolCalls: [call] },
        { role: 'tool', parts: ['the text'], secrets: 'mask', label: 'read_file', toolCallId: 'c1' },
      ],
      'masked',
      { tools, choice: 'auto' },
    );
    assert.deepEqual(titles(shown), [
      'POST http://127.0.0.1:1/api/v1/chat/completions',
      'Svc headers',
      'Messages (3)',
      '  Message 1 of 3: user, 73 bytes',
      '    src/pay.ts:3-4 (25 bytes)',
      '  Message 2 of 3: assistant, 10 bytes',
      '    Tool call: read_file (c1)',
      '  Message 3 of 3: tool result, 8 bytes, c1',
      'Tools (1)',
      '  read_file',
      'Parameters',
      'Other headers',
      `Request body (${Buffer.byteLength(shown.preview.request.body)} bytes):`,
    ]);
    const text = shown.lines.join('\n');
    assert.match(text, / {6}│ Explain this\.\n {4}src\/pay\.ts:3-4 \(25 bytes\)\n {6}│ src\/pay\.ts:3-4\n {6}│ ```/);
    assert.ok(text.includes('      │   "note": "two\\nlines"\n'));
    assert.ok(text.includes('Parameters\n  model: "svc/auto"\n  stream: true\n  max_tokens: 100\n'));
    assert.ok(text.includes('  Authorization: Bearer <your API key for http://127.0.0.1:1>\n'));
  });

  it('shows the Svc headers directly under the request line, each header once, as it is sent', async () => {
    const { previewPage } = await hostModule<typeof import('../../../../src/platform/confirm/previewPage.ts')>(
      'src/platform/confirm/previewPage.ts',
      'en',
    );
    const shown = await show([{ parts: ['Why?'] }]);
    const svc = ['Svc-Security-Level', 'Svc-Zero-Retention'];
    const request = {
      ...shown.preview.request,
      headers: [...shown.preview.request.headers, ...svc.map((name) => [name, 'a'] as const)],
    };
    const setBy = [{ layer: 'user' }, { layer: 'managed' }] as const;
    const headers = svc.map((name) => ({ name, value: 'a', setBy }));
    const { text } = previewPage({ ...shown.preview, request, headers, masked: [] });
    const lines = text.slice(0, -request.body.length).split('\n');
    assert.deepEqual(lines.slice(0, 6), [
      'POST http://127.0.0.1:1/api/v1/chat/completions',
      '',
      'Svc headers',
      ...svc.map((name) => `  ${name}: a   (set by user, your administrator)`),
      '',
    ]);
    for (const [name, value] of request.headers) {
      assert.equal(lines.filter((line) => line.startsWith(`  ${name}: ${value}`)).length, 1, name);
    }
    assert.ok((await show([{ parts: ['Why?'] }])).page.text.includes('\nSvc headers\n  None is set.\n'));
  });

  it('has headings that contain each other, for the outline and for folding', async () => {
    const { page } = await show([{ parts: ['a', attachment()] }, { parts: ['b', attachment(), attachment()] }]);
    const count = page.text.split('\n').length;
    for (const [index, { level, line, lastLine }] of page.headings.entries()) {
      assert.ok(line <= lastLine && lastLine < count);
      const next = page.headings.slice(index + 1).find((other) => other.level <= level);
      assert.equal(lastLine, (next?.line ?? count) - 1);
    }
  });

  it('marks what was masked, in texts, names, calls and tools, and never shows the secret', async () => {
    const file = attachment({ label: `${key}.ts`, text: `first\r\nconst key = '${key}';`, firstLine: 7 });
    const call = { id: 'c1', name: 'write', input: { text: `"${key}"\n` } };
    const shown = await show(
      [{ parts: [`My key\nis ${key}`, file] }, { role: 'assistant', parts: [''], toolCalls: [call] }],
      'masked',
      { tools: [{ name: 'write', description: `like ${key}`, schema: { default: key } }], choice: 'auto' },
    );
    const masks = marked(shown, 'masked');
    assert.equal(masks.length, 6);
    for (const mask of masks) assert.match(mask, /^\[masked: svc-key [a-z2-7]{5}\]$/);
    assert.ok(!shown.page.text.includes(key));
    assert.deepEqual(marked(shown, 'unmasked'), []);
    assert.deepEqual(
      shown.lines
        .slice(shown.lines.indexOf('Masked') + 1, shown.lines.indexOf('Masked') + 4)
        .map((line) => line.trim()),
      ['svc key: your message, line 2', ...[8, 1].map((line) => `svc key: ${masks[1]}.ts, line ${line}`)],
    );
  });

  it('marks the lines of secrets that are sent unmasked', async () => {
    const file = attachment({ text: `first\nconst key = '${key}';`, firstLine: 7 });
    const shown = await show([{ parts: [`My key\nis ${key}`, file] }], 'asIs');
    assert.deepEqual(marked(shown, 'unmasked'), [`is ${key}`, `const key = '${key}';`]);
    assert.deepEqual(marked(shown, 'masked'), []);
  });

  it('does not mark text that somebody typed to look masked', async () => {
    const typed = '[masked: svc-key abcde]';
    const shown = await show([{ parts: [`${typed}\n${key}`] }, { parts: [typed] }]);
    assert.equal(marked(shown, 'masked').length, 1);
    assert.notEqual(marked(shown, 'masked')[0], typed);
  });

  it('no text can look like a heading, a line of ours or the end of a message', async () => {
    const body = 'Request body (2 bytes):\n{}';
    const lies = ['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f', '\0\n'].map(
      (end) => `x${end}Headers${end}  Message 2 of 2: assistant, 1 byte${end}      │ x${end}${body}${end}`,
    );
    const honest = titles(await show([{ parts: ['', attachment({ label: 'a' })] }])).length;
    for (const lie of lies) {
      const shown = await show([{ parts: [lie, attachment({ label: `a${lie}`, text: lie })] }]);
      assert.equal(titles(shown).length, honest);
      const [from = 0, to = 0] = ['Messages (1)', 'Parameters'].map((title) => shown.lines.indexOf(title));
      const others = shown.lines.slice(from + 1, to).filter((line) => !isQuoted(line));
      assert.equal(others.length, 3);
      assert.match(others[0] ?? '', /^ {2}Message 1 of 1: user, /);
      assert.match(others[1] ?? '', /^ {4}ax\[U\+[0-9A-F]{4}\]/);
      assert.equal(others[2], '');
      assert.equal(shown.lines.filter((line) => /^Request body/.test(line)).length, 1);
    }
  });

  it('hidden characters are visible in names and texts, and as they are in the body', async () => {
    const text = 'a\u202eb\u0000c\u200bd\u2028e\u{e0041}f\u001bg 👩‍💻';
    const shown = await show([{ parts: [text, attachment({ label: 'a\u202e\n.ts' })] }]);
    const read = shown.lines.join('\n');
    assert.ok(read.includes('a[U+202E]b[U+0000]c[U+200B]d[U+2028]e[U+E0041]f[U+001B]g 👩‍💻'));
    assert.ok(read.includes('    a[U+202E][U+000A].ts (1 byte)'));
    assert.ok(!/[\p{Bidi_Control}\0\u2028\u200b]/u.test(read));
    assert.ok(shown.page.text.endsWith(shown.preview.request.body));
  });

  it('ends with the exact body, and quotes all of the text of each message, whatever it is', async () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('\r\n', '\n', '\r', key, '```', '      │ ', 'Request body (2 bytes):'),
    );
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(''));
    const message = fc.array(fc.oneof(text, fc.record({ label: text, text }).map(attachment)), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 3 }), async (messages) => {
        const shown = await show(messages.map((parts) => ({ parts })));
        const { body } = shown.preview.request;
        const bytes = Buffer.byteLength(body).toLocaleString('en');
        assert.ok(shown.page.text.endsWith(`\nRequest body (${bytes} bytes):\n${body}`));
        const sent = JSON.parse(body).messages.map(({ content }: { content: string }) => content);
        for (const [index, content] of sent.entries()) {
          const parts = shown.preview.parts[index] ?? [];
          assert.equal(parts.map(({ start, end }) => content.slice(start, end)).join('\n\n'), content);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('takes a moment for a large message', async () => {
    for (const text of ['x'.repeat(1e6), '\n'.repeat(1e6), '\u200b'.repeat(5e5), 'é👩‍💻'.repeat(1e5)]) {
      const shown = await show([{ parts: [text] }]);
      assert.ok(shown.page.text.endsWith(shown.preview.request.body));
    }
  });
});
