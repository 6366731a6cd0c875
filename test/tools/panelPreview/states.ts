import type { ViewState } from '../../../src/protocol/panelEvents.ts';
import type { Posture } from '../../../src/protocol/posture.ts';
import type { ReceiptView, ToolStepView, TurnView, Verdict } from '../../../src/protocol/turnView.ts';
import { longAnswer, richAnswer } from './answers.ts';
import {
  brokenFile,
  confirmation,
  cutCard,
  emptyCard,
  internalCard,
  interruptedCard,
  keyCard,
  keyInSettings,
  movedConfirmation,
  problem,
  trustCard,
} from './cards.ts';

const posture: Posture = {
  label: 'maximum · eu-west · audit · zero retention · hipaa, gdpr',
  headers: [
    {
      name: 'Svc-Security-Level',
      value: 'maximum',
      setting: 'svc.compliance.securityLevel',
      source: 'your administrator',
      overruled: 'workspace asked for standard',
      isManaged: true,
    },
    {
      name: 'Svc-Zero-Retention',
      value: 'true',
      setting: 'svc.compliance.zeroRetention',
      source: 'user',
      overruled: '',
      isManaged: false,
    },
  ],
  problems: [],
};

const turn: TurnView = {
  id: 't1',
  prompt: 'Why does this retry for ever? It should give up\nafter three attempts.',
  context: ['src/client/retry.ts:12-48', 'src/util/delay.ts'],
  model: 'svc/enterprise-coder-v1',
  status: 'complete',
  answer: richAnswer,
  footer:
    'complete · svc/enterprise-coder-v1 · maximum · eu-west · audit · zero retention · hipaa, gdpr · 1204 tokens · req_7f3a91c2',
};

const base: ViewState = {
  conversationId: 'c1',
  turns: [],
  model: 'svc/enterprise-coder-v1',
  posture,
  mayKeepDraft: true,
  messageLimit: { bytes: 4_000_000, words: 'This is too large.' },
  busy: false,
  messages: [],
  attachmentProblem: '',
  attachments: [],
};

function receipt(verdict: Verdict): ReceiptView {
  const isGood = verdict === 'confirmed';
  return {
    verdict,
    label: isGood ? 'Requested, and confirmed by the service' : 'Requested, contradicted by the service',
    headers: [
      { name: 'Svc-Security-Level', requested: 'maximum', said: isGood ? 'maximum' : 'standard', verdict },
      { name: 'Svc-Zero-Retention', requested: 'true', said: 'true', verdict: 'confirmed' },
    ],
    text: '{"level":"maximum","zeroRetention":true}',
  };
}

const readStep: ToolStepView = {
  id: '0.0',
  title: 'read_file · src/client/retry.ts',
  state: 'done',
  note: 'allowed once · 1.2 kB',
  input: '{\n  "path": "src/client/retry.ts",\n  "firstLine": 12\n}',
  result: 'src/client/retry.ts:12-48\n```typescript\nexport function retry() {}\n```',
  hasMore: true,
};

const searchStep: ToolStepView = {
  id: '1.0',
  title: `search_text · ${'maxAttempts'.repeat(4)}`,
  state: 'asking',
  note: 'waits for your word',
  input: '{\n  "query": "maxAttempts",\n  "files": "src/**/*.ts"\n}',
};

const overSteps: readonly ToolStepView[] = [
  readStep,
  { ...readStep, id: '0.1', title: 'read_file · .env', state: 'refused', note: 'refused' },
  { ...searchStep, id: '1.1', state: 'denied', note: 'denied', result: 'The person did not allow this call.' },
];

/** The stored state of an edited question, by the name of the state. */
const editing = { turnId: 't1', text: `${turn.prompt}\nAnd why does it not wait?`, attachments: [0, 1] };
export const previewKept: Readonly<Record<string, unknown>> = { edit: { editing }, editBusy: { editing } };

/** States of the panel by name. `now` (epoch, ms) is the start of the countdown. */
export function previewStates(now: number): Readonly<Record<string, ViewState>> {
  const short = { ...turn, context: [], prompt: 'What does 429 mean?' };
  return {
    empty: { ...base, posture: { label: '', headers: [], problems: [] } },
    notice: { ...base, notice: trustCard },
    attached: {
      ...base,
      attachments: [
        { id: 'a', label: 'src/client/retry.ts:12-48', size: '1.2 KB', icon: 'selection' },
        {
          id: 'b',
          label: '.env',
          size: 'may not leave',
          icon: 'file-code',
          warning: 'This may not leave: it is excluded by a built-in rule (.env).',
        },
      ],
    },
    confirmation: { ...base, busy: true, turns: [{ ...turn, answer: '', status: 'confirming', confirmation }] },
    toolAsking: {
      ...base,
      busy: true,
      turns: [
        {
          ...{ ...turn, answer: 'Let me look at how it is called.', status: 'calling' },
          steps: [
            readStep,
            searchStep,
            { ...searchStep, id: '1.1', title: 'git_diff', state: 'waiting', note: 'waits' },
          ],
        },
      ],
    },
    toolRunning: {
      ...base,
      busy: true,
      turns: [
        { ...turn, answer: '', status: 'calling', steps: [{ ...searchStep, state: 'running', note: 'running' }] },
      ],
    },
    tools: {
      ...base,
      turns: [
        { ...short, answer: 'It retries **every** failure.', steps: overSteps },
        { ...short, id: 't2', answer: 'It does.', withoutTools: 'Without tools: svc/auto does not take any.' },
      ],
    },
    receipts: {
      ...base,
      turns: [
        { ...short, answer: 'Too many requests.', receipt: receipt('confirmed') },
        { ...short, id: 't2', answer: 'Too many requests.', receipt: receipt('contradicted') },
      ],
    },
    conversation: { ...base, turns: [turn] },
    branches: {
      ...base,
      turns: [
        { ...short, answer: 'Too many requests.', siblings: ['t1', 't9'] },
        { ...turn, id: 't2', answer: 'It retries **every** failure.', siblings: ['t3', 't2', 't4'] },
      ],
    },
    edit: {
      ...base,
      turns: [
        { ...turn, answer: 'It retries **every** failure.' },
        { ...short, id: 't2', answer: 'Too many requests.' },
      ],
    },
    editBusy: {
      ...base,
      busy: true,
      turns: [
        { ...turn, answer: 'It retries **every** failure.' },
        { ...short, id: 't2', answer: 'Too many', status: 'streaming' },
      ],
    },
    stopped: {
      ...base,
      turns: [{ ...turn, answer: richAnswer.slice(0, 290), status: 'stopped', footer: 'stopped · svc/auto · maximum' }],
    },
    waiting: { ...base, busy: true, turns: [{ ...short, answer: '', status: 'waiting' }] },
    streaming: { ...base, busy: true, turns: [{ ...turn, answer: richAnswer.slice(0, 900), status: 'streaming' }] },
    retry: {
      ...base,
      busy: true,
      turns: [
        {
          ...short,
          answer: '',
          status: 'retrying',
          retry: { untilMs: now + 30_000, attempt: 2, reason: 'The service is overloaded (503).' },
        },
      ],
    },
    errors: {
      ...base,
      turns: [
        { ...short, answer: '', status: 'failed', card: keyCard },
        { ...short, id: 't2', answer: richAnswer.slice(0, 290), status: 'interrupted', card: interruptedCard },
      ],
    },
    faults: {
      ...base,
      turns: [
        { ...short, answer: '', status: 'failed', card: internalCard },
        { ...short, id: 't2', answer: '', status: 'failed', card: emptyCard },
        { ...short, id: 't3', answer: 'Too many', status: 'interrupted', card: cutCard },
      ],
    },
    cut: {
      ...base,
      turns: [
        {
          ...short,
          answer: 'Too many',
          isCut: true,
          footer: 'stopped at the length limit · svc/auto · secrets masked: 2',
        },
      ],
    },
    moved: {
      ...base,
      busy: true,
      turns: [{ ...short, answer: '', status: 'confirming', confirmation: movedConfirmation }],
    },
    keyFound: { ...base, notice: keyInSettings, turns: [{ ...short, answer: 'Too many requests.' }] },
    brokenSettings: {
      ...base,
      posture: { ...posture, problems: [brokenFile] },
      notice: { severity: 'error', title: 'Nothing can be sent', detail: brokenFile, actions: [] },
      turns: [{ ...short, answer: '', status: 'failed', card: keyCard }],
    },
    restricted: { ...base, notice: trustCard, turns: [{ ...short, answer: '', status: 'failed', card: keyCard }] },
    messages: {
      ...base,
      messages: [
        {
          id: 'removed',
          card: {
            severity: 'info',
            title: 'Zero retention holds now: this conversation was removed from the disk and is not kept any more.',
            actions: [],
          },
        },
        {
          id: 'not-saved',
          card: {
            severity: 'error',
            title: 'The conversation could not be saved: the disk is full',
            detail: 'What was saved before is still there. It is saved again with the next change.',
            actions: [{ id: 'showLog', label: 'Show Log' }],
          },
        },
      ],
      turns: [{ ...turn, answer: 'It retries **every** failure.' }],
    },
    blocked: {
      ...base,
      posture: { ...posture, problems: [problem] },
      notice: {
        severity: 'error',
        title: 'Nothing can be sent',
        detail: problem,
        actions: [{ id: 'openSettings', label: 'Open Settings', setting: 'svc.compliance.dataResidency' }],
      },
    },
    long: {
      ...base,
      model: `svc/${'enterprise-'.repeat(6)}coder`,
      turns: [
        {
          ...turn,
          prompt: `${'x'.repeat(120)} and a word`,
          answer: longAnswer,
          context: [`src/${'deep/'.repeat(20)}a.ts`],
        },
      ],
    },
  };
}
