import type { Card } from '../../../src/protocol/card.ts';
import type { ConfirmationView } from '../../../src/protocol/turnView.ts';

// Obstacles, errors and questions, with the texts of the host.

export const keyCard: Card = {
  severity: 'error',
  title: 'The service does not accept the API key.',
  detail: 'api.svc.example answered 401 (invalid_api_key).\nRequest id: req_7f3a91c2',
  actions: [
    { id: 'setApiKey', label: 'Set API Key' },
    { id: 'checkHealth', label: 'Check Health' },
    { id: 'showLog', label: 'Show Log' },
  ],
};

export const interruptedCard: Card = {
  severity: 'warning',
  title: 'The connection ended in the middle of the answer.',
  detail: 'What has come is kept.',
  actions: [
    { id: 'continue', label: 'Continue' },
    { id: 'retry', label: 'Retry' },
  ],
};

export const internalCard: Card = {
  severity: 'error',
  title: 'Svc Coder itself failed',
  detail: 'This is a fault of the extension (TypeError), not of the service or your settings. If it stays, report it.',
  actions: [
    { id: 'retry', label: 'Retry' },
    { id: 'showLog', label: 'Show Log' },
  ],
};

export const emptyCard: Card = {
  severity: 'error',
  title: 'The answer is empty',
  detail: 'api.svc.example took the request and sent no text. Try again, or another model. Request req_7f3a91c2.',
  actions: [
    { id: 'retry', label: 'Retry' },
    { id: 'selectModel', label: 'Select Model' },
  ],
};

export const cutCard: Card = {
  ...interruptedCard,
  title: 'The answer reached its greatest length and was cut off.',
};

export const keyInSettings: Card = {
  severity: 'warning',
  title: 'A key stands in your settings. It is not used',
  detail:
    'Found: /home/mia/.config/Code/User/settings.json, line 12. Remove it there and store it with Set API Key. Where others can read those settings, have it replaced by a new one.',
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
  '/home/mia/work/payments/.vscode/settings.json, line 7: it is not JSON there (CommaExpected). VS Code leaves out what it cannot read, and that may ask for more. Correct the file.';

export const problem = 'svc.compliance.dataResidency: "eu-wset" (workspace) is none of us-east, eu-west, ap-south';

export const confirmation: ConfirmationView = {
  title: 'Secrets found: 2. Nothing is sent yet',
  found: ['aws access key: src/client/retry.ts:12-48, line 14', 'payment card: your message, line 2'],
  facts: [
    { name: 'Goes to', value: 'https://svc.example.com/api/v1/chat/completions' },
    { name: 'Model', value: 'svc/enterprise-coder-v1' },
    { name: 'Headers', value: 'Svc-Security-Level: maximum, Svc-Zero-Retention: true' },
    { name: 'Files', value: 'src/client/retry.ts:12-48 (1.2 KB), src/util/delay.ts (310 bytes)' },
    { name: 'Masked', value: '2' },
  ],
  sendLabel: 'Send Masked',
  sendAsIsLabel: 'Send as It Is',
};

export const movedConfirmation: ConfirmationView = {
  title: 'The earlier messages of this conversation would go to another address. Nothing is sent yet',
  found: [],
  facts: [
    { name: 'Earlier messages went to', value: 'https://svc.example.com' },
    ...confirmation.facts.filter(({ name }) => name !== 'Masked'),
  ],
  sendLabel: 'Send',
};
