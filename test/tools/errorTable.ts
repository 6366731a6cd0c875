// Writes the table of errors into docs/troubleshooting.md.
import type { ServiceErrorKind } from '../../src/util/errors.ts';
import { tableOf, updatePage, withGeneratedPart } from './generatedPart.ts';

export const troubleshootingPage = 'docs/troubleshooting.md';

interface Advice {
  /** The content of the message, for the user. */
  readonly message: string;
  /** The remedy for the user. */
  readonly help: string;
}

/** Advice for each kind of error: one row for each cause that needs other advice. */
export const adviceByKind: Readonly<Record<ServiceErrorKind, readonly Advice[]>> = {
  auth: [
    {
      message: 'No API key is stored, the API key cannot be sent, or the service did not accept it (401).',
      help: 'Run *Svc: Set API Key (Token)…*. The old key stays until the new one works.',
    },
    {
      message: 'A credential helper gave no API key. The message names the program and the reason.',
      help: 'Run the program in a terminal. See [Short-lived keys from a program](administration.md#short-lived-keys-from-a-program).',
    },
    {
      message: 'A web page answered 401: a firewall or a sign-in page of the network may block the request.',
      help: 'Sign in to the network, or ask its administrator. The API key may still be valid.',
    },
  ],
  permission: [
    {
      message: 'Your API key has no access to the model (403).',
      help: 'Run *Svc: Select Model…*, or ask the issuer of the key for access.',
    },
    {
      message: 'A web page answered 403: a firewall or a sign-in page of the network may block the request.',
      help: 'Sign in to the network, or ask its administrator. The API key may still be valid.',
    },
  ],
  rateLimit: [
    {
      message: 'Too many requests, or the service asks you to wait (429).',
      help: 'Wait for the countdown, or choose Retry.',
    },
  ],
  request: [
    {
      message:
        'The address or the model was not found (404), the request is too large for the service (413), or the service did not accept it (other 4xx).',
      help: 'Check `svc.baseUrl` with its `/api/v1`, and the model. Remove some context.',
    },
    {
      message: 'The request is too long for the model. The message has the number of tokens, if the service states it.',
      help: 'Remove attached files, summarize earlier turns, start a new chat, or run *Svc: Select Model…*.',
    },
    {
      message: 'A quota or a budget is used up, or the content filter of the service refused the request.',
      help: 'Ask the administrator of the service, select another model, or change the question.',
    },
    {
      message: 'A command was called with a wrong argument, and nothing was done.',
      help: 'Check the [arguments](commands.md#use-commands-in-keybindings-and-other-code) in your keybinding or extension.',
    },
  ],
  timeout: [
    {
      message: 'The service did not answer in time.',
      help: 'Choose Retry, run *Svc: Check Service Status (Health)*, or raise the limit in `svc.request.timeout…`.',
    },
  ],
  network: [
    {
      message:
        'The service cannot be reached. The message has the code of the system (`ECONNREFUSED`, `ENOTFOUND`, …).',
      help: 'Check the address and your VPN. Run *Svc: Troubleshoot Connection (Proxy, Certificates)*.',
    },
  ],
  proxy: [
    {
      message: 'The proxy asks for a sign-in, refuses the request, or cannot be reached.',
      help: 'Check `http.proxy` and `http.noProxy`. For Kerberos and PAC scripts, see `svc.network.stack`.',
    },
  ],
  certificate: [
    {
      message: 'The certificate has expired, is for another host, or is not signed by a trusted authority.',
      help: 'Check `svc.network.caFile`, `svc.network.clientCertificate`, and the clock of your machine. The check cannot be turned off.',
    },
  ],
  server: [
    {
      message: 'The service reported an error (5xx).',
      help: 'Choose Retry, or run *Svc: Check Service Status (Health)*. Give the request ID to the administrator of the service.',
    },
  ],
  protocol: [
    {
      message:
        'The answer is empty, has nothing that can be used, was cut off, calls a tool in a wrong way, or is too large to be read.',
      help: 'Choose Retry, or choose another model.',
    },
    {
      message: 'The answer ended for another reason, or the service did not report that it is complete.',
      help: 'Read the answer before you use it, or choose Retry.',
    },
    {
      message: 'The response from the service was unexpected, or it points to another address.',
      help: 'Check `svc.baseUrl`. A sign-in page of your network may be in front of the service.',
    },
  ],
  interrupted: [
    {
      message: 'The answer was interrupted, is longer than the maximum, or the window was closed.',
      help: 'The partial answer is kept. Choose Continue or Retry.',
    },
    {
      message: 'A turn was stopped because of its tool calls: it reached a limit, or the calls made no progress.',
      help: 'Choose Continue to let the model go on, with the same [limits](chat.md#limits) again.',
    },
  ],
  policy: [
    {
      message:
        'Your settings do not allow the request. The message names the setting, the scope, the value, and what is allowed.',
      help: 'Correct the setting.',
    },
    {
      message: 'The address of the service is not set.',
      help: 'Run *Svc: Set API Key (Token)…*, or set `svc.baseUrl`.',
    },
    {
      message: 'VS Code cannot read a settings file completely. The message names the file, the line, and the reason.',
      help: 'Correct the [settings file](privacy.md#settings-files-with-errors).',
    },
    {
      message: 'The managed policy cannot be used, or your administrator turned the feature off.',
      help: 'Run *Svc: Show Managed Policy*, and ask your administrator.',
    },
  ],
  gate: [
    {
      message: 'A file must not be sent, is too large, or is not text.',
      help: 'Check `.svcignore` and `.gitignore`. Attach a selection instead of the file.',
    },
    {
      message: 'The conversation, or the question alone, exceeds the context window of the model.',
      help: 'Summarize or leave out earlier turns, attach less, or start a new chat. `svc.context.windows` sets the context window of a model.',
    },
    {
      message: 'The workspace is not trusted.',
      help: 'Run *Workspaces: Manage Workspace Trust*.',
    },
    {
      message: 'Some secrets cannot be masked completely.',
      help: 'Leave out the lines around the masked secrets.',
    },
    {
      message: 'A daily limit of requests or tokens that your administrator has set is reached.',
      help: 'Wait until the time in the message, or ask your administrator.',
    },
    {
      message: 'The audit log cannot be written.',
      help: 'Check the disk. *Svc: Show Log* has the details.',
    },
    {
      message: 'A request that waited is no longer the same: its address, headers, text, key, or rules have changed.',
      help: 'Check the settings, and send it again.',
    },
  ],
  storage: [
    {
      message: 'The conversation could not be read or saved, or a file could not be exported.',
      help: 'Check the disk. A newer version of Svc Coder may have written the conversation.',
    },
    {
      message: 'The setting was not changed.',
      help: 'Save or repair the settings file that the message names.',
    },
  ],
  internal: [
    {
      message: 'Svc Coder failed.',
      help: 'Choose Retry. If it happens again, report it.',
    },
  ],
  aborted: [
    {
      message: 'You cancelled the request. There is no message.',
      help: 'Nothing to do.',
    },
  ],
};

/** The page with the expected table. */
export function withErrorTable(page: string): string {
  const rows = Object.entries(adviceByKind).flatMap(([kind, causes]) =>
    causes.map(({ message, help }, index) => [index === 0 ? `\`${kind}\`` : '', message, help]),
  );
  return withGeneratedPart(page, 'errors', tableOf(['Kind', 'What happened', 'What helps'], rows));
}

if (import.meta.main) updatePage(troubleshootingPage, withErrorTable);
