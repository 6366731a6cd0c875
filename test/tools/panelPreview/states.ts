import type { Card, Posture, TurnView, ViewState } from '../../../src/protocol/messages.ts';
import { longAnswer, richAnswer } from './answers.ts';

const posture: Posture = {
  label: 'maximum · eu-west · audit · zero retention · hipaa, gdpr',
  headers: [
    { name: 'Svc-Security-Level', value: 'maximum', source: 'workspace' },
    { name: 'Svc-Zero-Retention', value: 'true', source: 'user' },
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
  footer: 'svc/enterprise-coder-v1 · 1,204 tokens · req_7f3a91c2',
};

const base: ViewState = {
  conversationId: 'c1',
  turns: [],
  model: 'svc/enterprise-coder-v1',
  posture,
  busy: false,
};

const keyCard: Card = {
  severity: 'error',
  title: 'The service does not accept the API key.',
  detail: 'api.svc.example answered 401 (invalid_api_key).\nRequest id: req_7f3a91c2',
  actions: [
    { id: 'setApiKey', label: 'Set API Key' },
    { id: 'checkHealth', label: 'Check Health' },
    { id: 'showLog', label: 'Show Log' },
  ],
};

const interruptedCard: Card = {
  severity: 'warning',
  title: 'The connection ended in the middle of the answer.',
  detail: 'What has come is kept.',
  actions: [
    { id: 'continue', label: 'Continue' },
    { id: 'retry', label: 'Retry' },
  ],
};

const trustCard: Card = {
  severity: 'info',
  title: 'This workspace is not trusted',
  detail: 'Nothing is sent from it, because its settings cannot be read.',
  actions: [{ id: 'manageTrust', label: 'Manage Trust' }],
};

const problem = 'svc.compliance.dataResidency: "eu-wset" (workspace) is none of us-east, eu-west, ap-south';

/** States to look at, by name. `now` (epoch, ms) is the start of the countdown. */
export function previewStates(now: number): Readonly<Record<string, ViewState>> {
  const short = { ...turn, context: [], prompt: 'What does 429 mean?' };
  return {
    empty: { ...base, posture: { label: '', headers: [], problems: [] } },
    notice: { ...base, notice: trustCard },
    conversation: { ...base, turns: [turn] },
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
