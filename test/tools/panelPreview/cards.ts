import type { Card } from '../../../src/protocol/card.ts';
import type { ConfirmationView } from '../../../src/protocol/turnView.ts';

// Obstacles, errors and questions, with the texts of the host.

export const keyCard: Card = {
  severity: 'error',
  title: 'The API key was not accepted',
  detail: 'api.svc.example answered 401. Set a new key. The current key is kept until the new one works.',
  actions: [
    { id: 'setApiKey', label: 'Set API Key' },
    { id: 'checkHealth', label: 'Check Service Status' },
    { id: 'showLog', label: 'Show Log' },
  ],
};

export const interruptedCard: Card = {
  severity: 'warning',
  title: 'The answer was interrupted',
  detail: 'The partial answer was kept.',
  actions: [
    { id: 'continue', label: 'Continue' },
    { id: 'retry', label: 'Retry' },
  ],
};

export const tooLongCard: Card = {
  severity: 'error',
  title: 'This conversation exceeds the context window of the model: about 131,000 tokens; the limit is 100,000',
  detail: 'If you summarize or leave out earlier turns, your questions in them are still sent.',
  actions: [
    { id: 'summarize', label: 'Summarize Earlier Turns' },
    { id: 'leaveOutTurns', label: 'Leave Out the Oldest Turns' },
    { id: 'newChat', label: 'New Chat' },
    { id: 'openSettings', label: 'Open Settings', setting: 'svc.context.maxTokens' },
  ],
};

export const manyFilesCard: Card = {
  severity: 'error',
  title: 'Nothing was sent: the question exceeds the context window of the model',
  detail:
    'It has about 131,000 tokens, and 100,000 fit. Remove src/client/retry.ts:12-480, src/billing/invoices/paymentProvider.ts, docs/Übersicht.md, attach a selection instead, or raise the limit in the settings.',
  actions: [
    { id: 'removeFile', label: 'Remove Files' },
    { id: 'retry', label: 'Retry' },
    { id: 'newChat', label: 'New Chat' },
    { id: 'openSettings', label: 'Open Settings', setting: 'svc.context.maxTokens' },
  ],
};

export const windowCard: Card = {
  severity: 'error',
  title: 'The request is too long for svc/enterprise-coder-v1',
  detail:
    'The context window of the model has 32,000 tokens. In svc.context.windows, the window is larger: 131,072 tokens. Start a new chat, or select a model with a larger context window.',
  actions: [
    { id: 'summarize', label: 'Summarize Earlier Turns' },
    { id: 'newChat', label: 'New Chat' },
    { id: 'selectModel', label: 'Select Model' },
    { id: 'openSettings', label: 'Open Settings', setting: 'svc.context.windows' },
  ],
};

export const undeliveredCard: Card = {
  severity: 'error',
  title: 'Nothing was sent: the audit log is not delivered',
  detail:
    'Your administrator requires that it is delivered before more is sent. Not yet delivered to logs.example.com:4318: 64.2 MB; the limit is 64 MB. The last attempt failed: ECONNREFUSED.',
  actions: [
    { id: 'retry', label: 'Retry' },
    { id: 'showPolicy', label: 'Show Managed Policy' },
    { id: 'showLog', label: 'Show Log' },
  ],
};

export const internalCard: Card = {
  severity: 'error',
  title: 'Svc Coder failed',
  detail:
    'This is an error in the extension (TypeError), not in the service or your settings. If it happens again, report it.',
  actions: [
    { id: 'retry', label: 'Retry' },
    { id: 'showLog', label: 'Show Log' },
  ],
};

export const emptyCard: Card = {
  severity: 'error',
  title: 'The answer is empty',
  detail:
    'api.svc.example accepted the request but sent no text. Try again, or use another model. Request req_7f3a91c2.',
  actions: [
    { id: 'retry', label: 'Retry' },
    { id: 'selectModel', label: 'Select Model' },
  ],
};

export const cutCard: Card = {
  ...interruptedCard,
  title: 'The answer reached the maximum length and was cut off',
};

export const keyInSettings: Card = {
  severity: 'warning',
  title: 'Your settings contain an API key. It is not used',
  detail:
    'Location: /home/mia/.config/Code/User/settings.json, line 12. Remove the key there, and run Svc: Set API Key (Token)… to store it. If others can read those settings, replace the key.',
  actions: [
    { id: 'setApiKey', label: 'Set API Key' },
    { id: 'openSettings', label: 'Open Settings' },
  ],
};

export const trustCard: Card = {
  severity: 'info',
  title: 'This workspace is not trusted',
  detail: 'Nothing is sent from it, because its settings cannot be read.',
  actions: [{ id: 'manageTrust', label: 'Manage Trust' }],
};

export const brokenFile =
  '/home/mia/work/payments/.vscode/settings.json, line 7: the JSON is invalid there (CommaExpected). VS Code skips what it cannot read, which may be a stricter setting. Correct the file.';

export const problem = 'svc.compliance.dataResidency: "eu-wset" (workspace) is none of us-east, eu-west, ap-south';

export const confirmation: ConfirmationView = {
  title: '2 secrets found; nothing sent yet',
  found: ['aws access key: src/client/retry.ts:12-48, line 14', 'payment card: your message, line 2'],
  facts: [
    { name: 'Destination', value: 'https://svc.example.com/api/v1/chat/completions' },
    { name: 'Model', value: 'svc/enterprise-coder-v1' },
    { name: 'Headers', value: 'Svc-Security-Level: maximum, Svc-Zero-Retention: true' },
    { name: 'Files', value: 'src/client/retry.ts:12-48 (1.2 KB), src/util/delay.ts (310 bytes)' },
    { name: 'Masked', value: '2' },
  ],
  sendLabel: 'Send Masked',
  sendAsIsLabel: 'Send Unmasked',
};

export const movedConfirmation: ConfirmationView = {
  title: 'The earlier messages of this conversation would be sent to another address; nothing sent yet',
  found: [],
  facts: [
    { name: 'Earlier messages were sent to', value: 'https://svc.example.com' },
    ...confirmation.facts.filter(({ name }) => name !== 'Masked'),
  ],
  sendLabel: 'Send',
};
