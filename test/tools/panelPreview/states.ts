import type { Card } from '../../../src/protocol/card.ts';
import type { ViewState } from '../../../src/protocol/panelEvents.ts';
import type { Posture, Verdict } from '../../../src/protocol/posture.ts';
import type { Starters } from '../../../src/protocol/starter.ts';
import type { ReceiptView, SummaryView, ToolStepView, TurnView } from '../../../src/protocol/turnView.ts';
import { bidiAnswer, formulaAnswer, longAnswer, richAnswer, worldAnswer } from './answers.ts';
import {
  brokenFile,
  confirmation,
  cutCard,
  emptyCard,
  internalCard,
  interruptedCard,
  keyCard,
  keyInSettings,
  manyFilesCard,
  movedConfirmation,
  problem,
  tooLongCard,
  trustCard,
  undeliveredCard,
  windowCard,
} from './cards.ts';
import { changes, changesToReview, goneChanges, manyChanges, writtenChanges } from './changes.ts';

const posture: Posture = {
  label: 'maximum · eu-west · audit · zero retention · hipaa, gdpr',
  short: 'maximum +4',
  headers: [
    {
      name: 'Svc-Security-Level',
      value: 'maximum',
      setting: 'svc.compliance.securityLevel',
      source: 'your administrator',
      overruled: 'workspace set standard',
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

const turn = {
  id: 't1',
  prompt: 'Why does this retry for ever? It should give up\nafter three attempts.',
  context: ['src/client/retry.ts:12-48', 'src/util/delay.ts'],
  model: 'svc/enterprise-coder-v1',
  status: 'complete' as const,
  answer: richAnswer,
  footer: 'svc/enterprise-coder-v1 · 1,204 tokens',
} satisfies TurnView;

/** The offers for an open file. */
function startersOf(name: string, path: string): Starters {
  return {
    items: [
      { id: 'a', label: { text: 'Explain {0}', names: [name] }, icon: 'lightbulb-sparkle' },
      { id: 'b', label: { text: 'Write tests for {0}', names: [name] }, icon: 'beaker' },
      { id: 'c', label: { text: 'Review {0}', names: [name] }, icon: 'search' },
    ],
    hint: { text: 'A suggestion sends {0}. Type @ to add other context.', names: [path] },
  };
}

const instruction = { id: 'c', label: 'AGENTS.md', size: 'instructions · 2.4 kB', icon: 'book' };
const instructionChips = [
  instruction,
  {
    ...instruction,
    id: 'd',
    label: '.github/copilot-instructions.md',
    size: 'instructions · 39.1 kB · long: about 12,502 tokens each time · secrets: 1',
    warning: 'It contains hidden characters. Preview Request shows them.\nSecrets found in it are always masked.',
  },
  { id: 'a', label: 'src/client/retry.ts:12-48', size: '1.2 KB', icon: 'selection' },
];
const offered = { id: 'current-file', label: 'retry.ts:12-48', size: '', icon: 'selection' };
const offeredChip = {
  ...offered,
  offer: 'retry.ts:12-48 is not sent. Click to include the current file in the questions of this conversation.',
};
const excludedOffer = {
  ...offered,
  label: '.env',
  size: 'not sent',
  icon: 'file-code',
  offer: '.env',
  warning: 'Excluded by a built-in rule: .env. It is not sent.',
};
const tooLarge = 'The limit for instructions is 64 kB. The file is not sent.';
const excluded = 'Excluded by .svcignore, line 1: AGENTS.md. It is not sent.';
const instructionsCard: Card = {
  severity: 'info',
  isQuiet: true,
  title: 'AGENTS.md and .github/copilot-instructions.md are included in your questions.',
  actions: [{ id: 'leaveOutInstructions', label: 'Leave Out' }],
};

const planMode = { label: 'Plan', detail: 'Answers with a plan. Changes nothing.', whyNoChange: '' };
const noChange = 'Change is not available. Turned off in the workspace settings.';

const base: ViewState = {
  conversationId: 'c1',
  turns: [],
  model: 'svc/enterprise-coder-v1',
  posture,
  tools: { count: 6, label: 'Tools: 6 on', reason: '' },
  mode: { label: 'Ask', detail: 'Answers questions.', whyNoChange: '' },
  mayKeepDraft: true,
  messageLimit: { bytes: 4_000_000, words: 'The limit is 4 MB.' },
  busy: false,
  messages: [],
  attachmentProblem: '',
  meter: {
    text: '≈ 14k / 100k',
    short: '15%',
    label: 'Next request: about 14,210 of 100,000 tokens',
    detail: 'Conversation: 9,180\nAttached: 3,020\nInstructions: 760\nTools: 1,250\nThe numbers are estimates.',
    isAlmostFull: false,
  },
  starters: startersOf('pay.ts', 'src/pay.ts'),
  attachments: [],
};

function receipt(verdict: Verdict): ReceiptView {
  const isGood = verdict === 'confirmed';
  return {
    verdict,
    label: isGood ? 'Confirmed by the service' : 'Service reports different settings',
    headers: [
      { name: 'Svc-Security-Level', requested: 'maximum', said: isGood ? 'maximum' : 'standard', verdict },
      { name: 'Svc-Zero-Retention', requested: 'true', said: 'true', verdict: 'confirmed' },
    ],
    contradictions: isGood ? [] : ['Svc-Security-Level: You asked for maximum; the service reports standard.'],
    ...(isGood ? {} : { isOpen: true }),
    facts: [{ name: 'Request ID', value: 'req_7f3a91c2' }],
    text: '{"level":"maximum","zeroRetention":true}',
  };
}

const readStep: ToolStepView = {
  id: '0.0',
  at: 0,
  title: 'Read src/client/retry.ts from line 12',
  state: 'done',
  note: 'allowed once · 1.2 kB',
  input: '{\n  "path": "src/client/retry.ts",\n  "firstLine": 12\n}',
  result: 'src/client/retry.ts:12-48\n```typescript\nexport function retry() {}\n```',
  hasMore: true,
};

const searchStep: ToolStepView = {
  id: '1.0',
  at: 0,
  title: `Search src/**/*.ts for “${'maxAttempts'.repeat(4)}”`,
  question: `Svc wants to search src/**/*.ts for “${'maxAttempts'.repeat(4)}”`,
  state: 'asking',
  note: 'Waiting for your approval',
  input: '{\n  "query": "maxAttempts",\n  "files": "src/**/*.ts"\n}',
};

const taskStep: ToolStepView = {
  id: '1.0',
  at: 0,
  title: 'Run the task test',
  question: 'Svc wants to run the task test',
  detail: [
    'npm test -- --grep "retry" --reporter spec',
    'Run by the shell in /projects/shop',
    'Variable NODE_ENV=test',
    '',
    'This task has changed since you allowed it:',
    '- npm test',
    '+ npm test -- --grep "retry" --reporter spec',
    '',
    'Accepted changes that can run in a build: package.json',
  ].join('\n'),
  isOnlyOnce: true,
  state: 'asking',
  note: 'Waiting for your approval',
  input: '{\n  "name": "test"\n}',
};

const thoughts = 'The file has no <b>limit</b>:\n```ts\nretry();\n```\nI read [the caller](command:x) first. '.repeat(
  12,
);

const overSteps: readonly ToolStepView[] = [
  readStep,
  { ...readStep, id: '0.1', title: 'Read .env', state: 'refused', note: 'refused' },
  { ...searchStep, id: '1.1', state: 'denied', note: 'denied', result: 'The user did not allow this call.' },
];

/** The stored state of an edited question, by the name of the state. */
const editing = { turnId: 't1', text: `${turn.prompt}\nAnd why does it not wait?`, attachments: [0, 1] };
export const previewKept: Readonly<Record<string, unknown>> = {
  edit: { editing },
  editBusy: { editing },
  summaryEdit: { summary: { turnId: 't1', text: '# Goal\nRequests are sent again after 429.' } },
};

/** States of the panel by name. `now` (epoch, ms) is the start of the countdown. */
const summary: SummaryView = {
  text: `# Goal
Requests are sent again after 429, with the wait that the service asks for.

# Facts found
- src/pay.ts:12 reads retry-after as seconds.
- \`npm test -- retry\` fails with ERR_RETRY_42.

# Open and next
Read retry-after as a date, too.`,
  label: 'Summary of 14 turns, sent instead of them. Your questions are still sent word for word.',
  footer: 'edited · svc/auto · 12,480 tokens',
  leftOut: {
    label: 'Left out to stay within the limit: 2 tool results (about 1,200 tokens)',
    parts: ['result of read_file, 4 kB – Why?'],
  },
};

export function previewStates(now: number): Readonly<Record<string, ViewState>> {
  const short = { ...turn, context: [], prompt: 'What does 429 mean?' };
  const proposing = {
    ...short,
    prompt: 'Give up after three attempts.',
    answer: 'I changed the retry and its callers.',
  };
  const planned = {
    ...short,
    prompt: 'Give up after three attempts.',
    answer: '1. `src/client/retry.ts`: stop after three attempts.\n2. `src/client/queue.ts`: pass the error on.',
    isPlan: true as const,
  };
  const summarizedTurns: readonly TurnView[] = [
    { ...short, answer: 'Too many requests.', summary },
    {
      ...short,
      id: 't2',
      answer: 'It waits 2 seconds, and then sends the request again.',
      footer: 'svc/auto · 1,204 tokens',
    },
  ];
  return {
    empty: { ...base, posture: { label: '', short: '', headers: [], problems: [] } },
    emptyNoEditor: {
      ...base,
      starters: {
        items: [],
        hint: { text: 'Open a file with code to get suggestions, or type @ to add context.', names: [] },
      },
    },
    emptyLongName: { ...base, starters: startersOf('\u05d0\u202egnp.'.repeat(12), `src/${'billing/'.repeat(12)}`) },
    notice: { ...base, notice: trustCard },
    attached: {
      ...base,
      attachments: [
        { id: 'a', label: 'src/client/retry.ts:12-48', size: '1.2 KB', icon: 'selection' },
        {
          id: 'b',
          label: '.env',
          size: 'excluded',
          icon: 'file-code',
          warning: 'Excluded by a built-in rule (.env). It is not sent.',
        },
      ],
    },
    instructions: {
      ...base,
      attachments: [...instructionChips.slice(0, 2), offeredChip, ...instructionChips.slice(2)],
      messages: [{ id: 'instructions', card: instructionsCard }],
    },
    organization: {
      ...base,
      attachments: [
        { id: 'o', label: 'Organization', size: 'instructions · 1.2 kB', icon: 'organization', isFixed: true },
        instruction,
      ],
    },
    instructionsOut: {
      ...base,
      attachments: [
        excludedOffer,
        { ...instruction, label: 'pay-service/AGENTS.md', size: 'instructions · too large', warning: tooLarge },
        { ...instruction, id: 'd', size: 'instructions · excluded', warning: excluded },
        { id: 'a', label: 'src/client/retry.ts:12-48', size: '1.2 KB', icon: 'selection' },
      ],
    },
    confirmation: {
      ...base,
      busy: true,
      turns: [{ ...turn, answer: '', status: 'confirming', asked: 1, confirmation }],
    },
    taskAsking: {
      ...base,
      busy: true,
      turns: [{ ...turn, answer: 'Let me run the tests.', status: 'calling', steps: [taskStep] }],
    },
    toolAsking: {
      ...base,
      busy: true,
      turns: [
        {
          ...{ ...turn, answer: 'Let me look at how it is called.', status: 'calling' },
          steps: [
            readStep,
            searchStep,
            {
              ...searchStep,
              id: '1.1',
              title: 'Read the Git changes since the last commit',
              state: 'waiting',
              note: 'waiting for the previous call',
            },
          ],
        },
      ],
    },
    toolAskingOnce: {
      ...base,
      busy: true,
      turns: [{ ...turn, answer: '', status: 'calling', steps: [{ ...searchStep, isOnlyOnce: true }] }],
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
        {
          ...short,
          answer: 'I look at the retries first.\n\nThen at their caller:\n\nIt retries **every** failure.',
          steps: overSteps.map((step) => ({ ...step, at: step.id === '0.0' ? 30 : 53 })),
        },
        {
          ...short,
          id: 't2',
          answer: 'It does.',
          notes: [
            'This answer was made without tools: svc/auto did not accept the request with them.',
            '3 requests were sent, because the service refused the first. Changed: max_tokens is sent as max_completion_tokens.',
            'svc.request.temperature was not sent: svc/auto does not accept it.',
            'The answer contains a tool call as text. It was not run.',
            'Changed or removed since you attached it: src/payments/authorization/queue.ts:120-184. The request tells the model. To send the new text, attach it again.',
          ],
        },
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
    formulas: { ...base, turns: [{ ...short, answer: formulaAnswer }] },
    rightToLeft: {
      ...base,
      turns: [
        { ...short, prompt: 'למה הפונקציה retry() לא נעצרת?\nIt should stop after three.', answer: bidiAnswer },
        { ...short, id: 't2', prompt: 'What does «شكرا» mean?', answer: 'شكرا means *thank you*.' },
      ],
    },
    world: { ...base, turns: [{ ...short, answer: worldAnswer }] },
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
      turns: [{ ...turn, answer: richAnswer.slice(0, 290), status: 'stopped', footer: 'stopped · svc/auto' }],
    },
    waiting: { ...base, busy: true, turns: [{ ...short, answer: '', status: 'waiting' }] },
    toolsOff: { ...base, tools: { count: 0, label: 'Tools: off', reason: 'Turned off in the workspace settings.' } },
    thinking: {
      ...base,
      busy: true,
      turns: [
        { ...short, answer: '', status: 'waiting', thought: { label: 'Thinking…', isOpen: true }, thinking: thoughts },
      ],
    },
    thought: {
      ...base,
      turns: [
        {
          ...{ ...short, answer: 'It retries **every** failure.', thinking: thoughts },
          thought: {
            ...{ label: 'Thought for 2 min 5 s', isOpen: false },
            rest: 'The limit is 64 kB. The rest is not shown.',
          },
          steps: [readStep],
        },
      ],
    },
    questionWaits: {
      ...base,
      busy: true,
      turns: [{ ...short, answer: 'Too many', status: 'streaming' }],
      waiting: {
        text: 'And how long does it wait?\nI would like to see the numbers.',
        attachments: [
          { id: 'a', label: 'src/client/retry.ts:12-48', size: '1.2 KB', icon: 'selection' },
          { id: 'b', label: '.env', size: 'excluded', icon: 'file-code', warning: 'Excluded. It is not sent.' },
        ],
        isSending: false,
      },
    },
    changes: { ...base, turns: [proposing], changes },
    changesBusy: {
      ...base,
      busy: true,
      turns: [{ ...proposing, answer: 'I change', status: 'streaming' }],
      changes: { ...changes, canDecide: false },
    },
    changesToReview: { ...base, turns: [proposing], changes: changesToReview },
    changesWritten: { ...base, turns: [proposing], changes: writtenChanges },
    changesGone: { ...base, turns: [proposing], changes: goneChanges },
    changesMany: { ...base, turns: [proposing], changes: manyChanges },
    plan: { ...base, mode: planMode, turns: [planned] },
    planLocked: { ...base, mode: { ...planMode, whyNoChange: noChange }, turns: [planned] },
    changesDecided: {
      ...base,
      mode: { label: 'Change', detail: 'Proposes changes.', whyNoChange: '' },
      turns: [proposing],
      changes: writtenChanges,
      attachments: [
        { id: 'd', label: 'decisions on changes', size: '412 bytes', icon: 'diff-multiple', isDecisions: true },
      ],
    },
    questionHeld: {
      ...base,
      turns: [{ ...short, answer: '', status: 'failed', card: keyCard }],
      waiting: { text: `${'x'.repeat(90)} ${'and a word '.repeat(60)}`, attachments: [], isSending: false },
    },
    questionSending: {
      ...base,
      turns: [{ ...short, answer: 'Too many requests.' }],
      waiting: { text: 'And how long does it wait?', attachments: [], isSending: true },
    },
    waitingLong: { ...base, busy: true, turns: [{ ...short, answer: '', status: 'waiting', waitedMs: 7_000 }] },
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
    undelivered: { ...base, turns: [{ ...short, answer: '', status: 'failed', card: undeliveredCard }] },
    tooLong: {
      ...base,
      turns: [tooLongCard, manyFilesCard, windowCard].map((card, index) => ({
        ...{ ...short, id: `t${index}`, answer: '', status: 'failed' as const, card },
      })),
    },
    summary: { ...base, turns: summarizedTurns },
    summaryEdit: { ...base, turns: summarizedTurns },
    summarizing: {
      ...base,
      busy: true,
      turns: [
        { ...short, answer: 'Too many requests.', summary },
        { ...short, id: 't2', answer: '', status: 'waiting', waitedMs: 7_000, waitsFor: 'Summarizing 3 turns…' },
      ],
    },
    severalFiles: {
      ...base,
      turns: [
        {
          ...turn,
          prompt: 'Give up after three attempts.',
          answer: [
            'Both files change:',
            '```ts title="src/client/retry.ts"\nexport const attempts = 3;\n```',
            '```ts title="src/util/delay.ts"\nexport const delayMs = 100;\n```',
          ].join('\n\n'),
          hasFiles: true,
        },
      ],
    },
    cut: {
      ...base,
      turns: [
        {
          ...short,
          answer: 'Too many',
          cut: 'length',
          footer: 'stopped at the maximum length · svc/auto · secrets masked: 2',
        },
      ],
    },
    moved: {
      ...base,
      busy: true,
      turns: [{ ...short, answer: '', status: 'confirming', asked: 1, confirmation: movedConfirmation }],
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
            title: 'Zero retention is on now. This conversation was removed from the disk and is no longer saved.',
            actions: [],
          },
        },
        {
          id: 'not-saved',
          card: {
            severity: 'error',
            title: 'The conversation could not be saved: the disk is full',
            detail: 'Everything saved before is kept. The next change is saved again.',
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
      meter: {
        text: '≈ 131k / 100k',
        short: '131%',
        label: 'Next request: about 131,002 of 100,000 tokens',
        detail: 'Almost full: the oldest parts are left out first.\nConversation: 131,002',
        isAlmostFull: true,
      },
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
    leftOut: {
      ...base,
      turns: [
        turn,
        {
          ...turn,
          id: 't2',
          prompt: 'And now?',
          contentLeftOut: {
            label: 'Left out as excluded: text of config/.env',
            parts: ['12 lines from config/.env, in run_in_terminal', 'a value from config/.env'],
          },
          leftOut: {
            label: 'Left out to stay within the limit: 1 turn, 2 attachments, 1 tool result (about 41,000 tokens)',
            parts: [
              'answer and attachments, 12 kB – What does the cache do, and why is it there?',
              'src/util/delay.ts, 60 kB – Explain this file.',
              `src/${'deep/'.repeat(20)}a.ts, 60 kB – And this one?`,
              'result of read_file, 12 kB – Where is it used?',
            ],
          },
          notice: {
            severity: 'warning',
            title: 'The model may not have read the beginning of this conversation',
            detail:
              'The service counted 4,096 tokens of about 9,000 that were sent. The next questions are kept shorter.',
            actions: [{ id: 'setModelWindow', label: 'Set the Model’s Window' }],
          },
        },
        {
          ...turn,
          id: 't3',
          prompt: 'And then?',
          notice: {
            severity: 'info',
            title: 'svc/auto reads about 32,768 tokens at most. The question was sent again, shorter',
            isQuiet: true,
            actions: [],
          },
        },
      ],
    },
    repeated: {
      ...base,
      turns: [
        turn,
        { ...turn, id: 't2', prompt: 'And now?', repeated: ['src/util/delay.ts'] },
        { ...turn, id: 't3', prompt: 'And since I changed it?', changesOnly: ['src/util/delay.ts'] },
      ],
    },
  };
}
