import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import MarkdownIt from 'markdown-it';
import { maskText, scanText } from '../../../src/gate/secrets/scanner.ts';
import { shortenedBy } from '../../../src/send/budget/leftOut.ts';
import type { Conversation } from '../../../src/session/conversation/conversation.ts';
import {
  conversationAsJson,
  conversationAsMarkdown,
  type ExportWords,
} from '../../../src/session/conversation/exportConversation.ts';
import { maskedConversation } from '../../../src/session/conversation/maskedExport.ts';
import { asOwn } from '../../../src/session/tools/ownText.ts';
import type { ToolStep } from '../../../src/session/tools/toolStep.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { type TurnFields, turnOf } from '../../tools/turns.ts';
import { attachment } from './attachment.ts';

const words: ExportWords = {
  ...{ untitled: 'Untitled', question: 'Question', answer: 'Answer', attached: 'Attached:', model: 'Model' },
  ...{ state: 'State', finishReason: 'Finish reason', requestId: 'Request', tokens: 'Tokens', masked: 'Masked' },
  columns: ['Header', 'Requested', 'Asked by', 'Reported by the service', 'Verdict'],
  receipt: 'Receipt:',
  summary: (turns) => `Summary of ${turns} turns`,
  nothing: 'nothing',
  time: (ms) => new Date(ms).toISOString(),
  status: (status) => `is ${status}`,
  layer: ({ layer, name }) => (name === undefined ? layer : `${layer} ${name}`),
  verdict: (verdict) => `was ${verdict}`,
  tool: 'Tool:',
  step: (state) => `step ${state}`,
};

const first: TurnFields = {
  ...{ id: '1', askedAt: 1000, model: 'model-one', finishReason: 'stop' },
  prompt: 'Why?\n````\n# not a heading\n````',
  attachments: [
    attachment({ label: 'a.md:1-2', languageId: 'markdown', text: '```ts\nx\n```', uri: 'file:///home/ann/a.md' }),
  ],
  answer: 'Because:\n\n# A heading\n\n```ts\nan open fence',
  usage: { totalTokens: 12 },
  serviceRequestId: 'req_1',
  headers: [
    { name: 'Svc-Security-Level', value: 'maximum', setBy: [{ layer: 'user' }, { layer: 'folder', name: 'api' }] },
    { name: 'Svc-Audit-Enabled', value: 'true', setBy: [{ layer: 'managed' }] },
  ],
  receipt: {
    verdict: 'contradicted',
    headers: [
      { name: 'Svc-Security-Level', requested: 'maximum', said: 'a|b <img>', verdict: 'contradicted' },
      { name: 'Svc-Audit-Enabled', requested: 'true', said: null, verdict: 'not-confirmed' },
    ],
    text: '{"level":"a|b"}',
  },
  secrets: 'mask',
  masked: 2,
};
const error = new ServiceError('server', 'log-message', {
  ...{
    status: 503,
    externalCode: 'busy',
    serviceMessage: 'service-words',
    cause: new Error('cause-words'),
    file: 'error-file',
  },
});
const second: TurnFields = { id: '2', parent: '1', askedAt: 2000, status: 'failed', prompt: 'And?', error };
const whole: Conversation = { id: 'c', createdAt: 0, title: 'A *title* <b>', turns: [turnOf(first), turnOf(second)] };

describe('session: a conversation as Markdown', () => {
  const text = conversationAsMarkdown(whole, words);
  const tokens = new MarkdownIt({ html: true }).parse(text, {});
  /** The headings of the document itself, without those of answers. */
  const headings = tokens.flatMap(({ type, level }, index) =>
    type === 'heading_open' && level === 0 ? [tokens[index + 1]?.content] : [],
  );

  it('keeps its own headings, for any content of questions and answers', () => {
    assert.deepEqual(headings, ['A \\*title\\* \\<b\\>', '1. Question', 'Answer', '2. Question', 'Answer']);
  });

  it('contains questions and code verbatim, in fences', () => {
    const fences = tokens.filter(({ type, level }) => type === 'fence' && level === 0);
    assert.deepEqual(
      fences.map(({ content, info }) => [info, content]),
      [
        ['text', `${first.prompt}\n`],
        ['markdown', '```ts\nx\n```\n'],
        ['json', '{"level":"a|b"}\n'],
        ['text', 'And?\n'],
      ],
    );
  });

  it('the content of an answer cannot end the quotation that contains it', () => {
    assert.match(text, /> # A heading\n>\n> ```ts\n> an open fence\n> ```\n\n- State: is complete\n/);
  });

  it('contains no image and no HTML of a model', () => {
    const hostile = [
      '![x](https://evil.example/?q=1) ![y][r] ![r] [![z](https://evil.example/z)](https://a.example)',
      '<img src=x> <script>alert(1)</script> <iframe src=x></iframe> <https://evil.example> \\<img src=x> `<b>`',
      '<div>\n<img src=x>\n</div>',
      '<!-- c -->\n<svg onload=x>\n\n[r]: https://evil.example/r.png',
    ].join('\n\n');
    const answered = conversationAsMarkdown({ ...whole, turns: [turnOf({ ...first, answer: hostile })] }, words);
    const html = new MarkdownIt({ html: true, linkify: true }).render(answered);
    const tags = new Set([...html.matchAll(/<(\w+)/g)].map(([, tag]) => tag));
    for (const tag of ['img', 'script', 'iframe', 'div', 'svg', 'b']) assert.ok(!tags.has(tag), tag);
    assert.ok(html.includes('<a href="https://evil.example/?q=1">image: x</a>'), html);
    assert.ok(html.includes('<code>&lt;b&gt;</code>'), 'code stays as it is');
  });

  it('states what was requested from the service, who requested it, and what it reported', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    assert.deepEqual(rows, [
      '| Header | Requested | Asked by | Reported by the service | Verdict |',
      '| --- | --- | --- | --- | --- |',
      '| Svc-Security-Level | maximum | user, folder api | a\\|b \\<img\\> | was contradicted |',
      '| Svc-Audit-Enabled | true | managed | nothing | was not-confirmed |',
    ]);
    for (const fact of [
      '- Model: model-one',
      '- Finish reason: stop',
      '- Request: req\\_1',
      '- Tokens: 12',
      '- Masked: 2',
    ])
      assert.ok(text.includes(`${fact}\n`), fact);
    assert.ok(text.includes('Receipt: was contradicted\n'));
  });

  it('is named after its first question if it has no name', () => {
    const { title: _, ...unnamed } = whole;
    assert.match(conversationAsMarkdown(unnamed, words), /^# Why\?\n/);
    assert.match(conversationAsMarkdown({ ...unnamed, turns: [] }, words), /^# Untitled\n/);
  });

  it('states only that there was an error, without a path of this machine', () => {
    assert.doesNotMatch(text, /log-message|service-words|cause-words|error-file|home/);
    assert.match(text, /- State: is failed\n/);
  });
});

describe('session: tool calls of an exported conversation', () => {
  const step: ToolStep = {
    ...{ id: '0.0', callId: 'c1', name: 'read_file', input: { path: 'a.ts' }, round: 0, at: 0, state: 'done' },
    allowed: 'once',
    output: {
      text: asOwn('# no heading'),
      attachments: [attachment({ label: 'a.ts', text: '```', uri: 'file:///home/a.ts' })],
    },
  };
  const called: Conversation = { ...whole, turns: [turnOf({ ...first, steps: [step] })] };

  it('come before the answer in Markdown, verbatim, in fences', () => {
    const text = conversationAsMarkdown(called, words);
    assert.match(text, /### Tool: read\\_file \(step done\)\n\n```json\n\{\n {2}"path": "a.ts"\n\}\n```/);
    assert.ok(text.includes('```text\n# no heading\n```\n\na.ts\n\n````'));
    assert.ok(text.indexOf('### Tool') < text.indexOf('### Answer'));
  });

  it('come after the text that led to them in Markdown', () => {
    const turn = turnOf({ ...first, answer: 'I look.\n\nIt is so.', steps: [{ ...step, at: 7 }] });
    const text = conversationAsMarkdown({ ...whole, turns: [turn] }, words);
    const order = ['### Answer', '> I look.', '### Tool', '> It is so.'].map((part) => text.indexOf(part));
    assert.ok(
      order.every((at, index) => at > (order[index - 1] ?? 0)),
      text,
    );
    assert.equal(text.match(/### Answer/g)?.length, 2);
  });

  it('are in the JSON with input and result, without a path of this machine', () => {
    const text = conversationAsJson(called);
    const [exported] = JSON.parse(text).turns[0].steps;
    assert.deepEqual([exported.name, exported.input, exported.state], ['read_file', { path: 'a.ts' }, 'done']);
    assert.equal(exported.result.attachments[0].text, '```');
    assert.doesNotMatch(text, /home/);
  });
});

describe('session: a summary in an exported conversation', () => {
  const text = '# no heading\n```\n<img src=x>';
  const summary = { text, turns: 14, model: 'model-two', usage: { totalTokens: 9 }, isEdited: true } as const;
  const summarized: Conversation = { ...whole, turns: [turnOf({ ...first, summary })] };

  it('follows its turn in Markdown, verbatim, in a fence', () => {
    const exported = conversationAsMarkdown(summarized, words);
    assert.ok(
      exported.endsWith('### Summary of 14 turns\n\n````text\n# no heading\n```\n<img src=x>\n````\n'),
      exported,
    );
  });

  it('is in the JSON with its model and tokens', () => {
    const [turn] = JSON.parse(conversationAsJson(summarized)).turns;
    assert.deepEqual(turn.summary, summary);
  });
});

describe('session: branches of an exported conversation', () => {
  const hidden = [turnOf({ ...second, id: '2b', prompt: 'Or else?' })];

  it('are all in the JSON, each turn with the one it follows', () => {
    const { turns, otherBranches } = JSON.parse(conversationAsJson({ ...whole, hidden }));
    const shape = ({ id, parent }: { id: string; parent: string }) => [id, parent];
    assert.deepEqual(
      [turns.map(shape), otherBranches.map(shape)],
      [
        [
          ['1', null],
          ['2', '1'],
        ],
        [['2b', '1']],
      ],
    );
    assert.equal(otherBranches[0].prompt, 'Or else?');
  });

  it('the Markdown contains only the shown branch', () => {
    assert.equal(conversationAsMarkdown({ ...whole, hidden }, words), conversationAsMarkdown(whole, words));
  });
});

describe('session: a conversation as JSON', () => {
  const text = conversationAsJson(whole);
  const exported = JSON.parse(text);

  it('contains everything, with posture and receipts', () => {
    const { turns, ...head } = exported;
    assert.deepEqual(head, {
      ...{ format: 'svc-coder-conversation', version: 1, id: 'c', title: 'A *title* <b>' },
      createdAt: '1970-01-01T00:00:00.000Z',
      otherBranches: [],
    });
    const { attachments, askedAt, ...rest } = turns[0];
    const { attachments: _, askedAt: __, headers: requested, serviceRequestId: requestId, ...expected } = first;
    const made = { parent: null, action: 'chat', status: 'complete', requested, requestId };
    assert.deepEqual(rest, { ...made, ...expected });
    assert.equal(askedAt, '1970-01-01T00:00:01.000Z');
    assert.deepEqual(attachments, [{ label: 'a.md:1-2', firstLine: 1, languageId: 'markdown', text: '```ts\nx\n```' }]);
  });

  it('contains the mode of a question, and how much its request left out, without names', () => {
    const part = { turn: 'a', question: 'a-question', kind: 'attachment', label: 'a-name', bytes: 9 } as const;
    const asked = turnOf({ ...first, mode: 'plan', shortened: shortenedBy([part, part], 41_000) });
    const json = conversationAsJson({ ...whole, turns: [asked] });
    assert.equal(JSON.parse(json).turns[0].mode, 'plan');
    assert.deepEqual(JSON.parse(json).turns[0].leftOut, { turn: 0, attachment: 2, result: 0, tokens: 41_000 });
    assert.doesNotMatch(json, /a-question|a-name/);
  });

  it('contains the kind of an error and no path of this machine', () => {
    assert.deepEqual(exported.turns[1].error, { kind: 'server', code: 'busy', status: 503 });
    assert.doesNotMatch(text, /log-message|service-words|cause-words|error-file|home/);
  });
});

describe('session: an exported conversation', () => {
  // Assembled here, so that secret scanners find nothing in this file.
  const token = ['gh', 'p_', 'aB3dE6gH9kL2nP5rS8uV1xY4zA7cD0fG3iJ6'].join('');
  const lines = (from: number): string => [1, 2, 3].map((at) => hash('sha384', `${from} ${at}`, 'base64')).join('\n');
  const scanner = { scanText, maskText };
  const call: ToolStep = {
    ...{ id: 's', callId: 'c', name: 'look', round: 0, at: `It is \`${token}\`. `.length, state: 'done' },
    input: { argv: ['--header', token] },
    output: {
      text: asOwn('Found:'),
      attachments: [attachment({ uri: 'untitled:tool', label: 'look', marks: [], text: lines(2) })],
    },
  };
  const cut = 'the end of a secret';
  const told: TurnFields = {
    ...first,
    prompt: `Use ${token}`,
    secrets: { asIsFor: 'https://svc.test' },
    attachments: [
      attachment({ label: `${token}.txt`, text: `${token}\n${cut}`, marks: [{ rule: 'jwt', start: 41, end: 60 }] }),
    ],
    answer: `It is \`${token}\`. Look:`,
    steps: [call],
    summary: { text: `The token is ${token}`, turns: 1, model: 'm' },
  };
  const conversation: Conversation = {
    ...whole,
    title: token,
    turns: [turnOf(told), turnOf(second)],
    hidden: [turnOf({ ...told, id: '3' })],
  };

  it('no text of an export contains a secret, including calls, results and other branches, whatever was sent', async () => {
    const masked = await maskedConversation(conversation, scanner);
    for (const text of [conversationAsMarkdown(masked, words), conversationAsJson(masked)]) {
      assert.ok(!text.includes(token.slice(5, 13)), text);
      assert.ok(!text.includes(cut));
      for (const line of lines(2).split('\n')) assert.ok(!text.includes(line.slice(0, 16)));
      assert.match(text, /\[masked: github-token [a-z2-7]{5}\]/);
    }
    const step = masked.turns[0]?.answer.steps[0];
    assert.match(
      masked.turns[0]?.answer.text.slice(0, step?.at) ?? '',
      /^It is `\[masked: github-token [a-z2-7]{5}\]`\. $/,
    );
  });

  it('a conversation without secrets is exported unchanged', async () => {
    assert.deepEqual(await maskedConversation(whole, scanner), whole);
  });
});
