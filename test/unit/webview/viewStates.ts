import type { ViewState } from '../../../src/protocol/panelEvents.ts';
import type { Posture } from '../../../src/protocol/posture.ts';
import type { TurnView } from '../../../src/protocol/turnView.ts';

export const posture: Posture = { label: '', short: '', headers: [], problems: [] };

export const turn: TurnView = {
  id: 'a',
  prompt: 'Why?',
  context: [],
  model: 'svc/auto',
  status: 'streaming',
  answer: 'Be',
};

export const state: ViewState = {
  conversationId: 'c',
  turns: [{ ...turn, id: 'older', status: 'complete' }, turn],
  model: 'svc/auto',
  posture,
  tools: { count: 0, label: 'Tools: off', reason: '' },
  mode: { label: 'Ask', detail: 'Answers questions.', whyNoChange: '' },
  mayKeepDraft: true,
  messageLimit: { bytes: 4_000_000, words: 'This is too large.' },
  busy: true,
  attachments: [],
  messages: [],
  attachmentProblem: '',
  starters: { items: [], hint: { text: '', names: [] } },
};
