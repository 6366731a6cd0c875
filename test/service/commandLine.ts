import { parseArgs } from 'node:util';
import { assertLoopback } from './loopback.ts';
import type { ServiceOptions } from './options.ts';
import { isScenarioName, scenarioNames, scenarios } from './scenarios.ts';

export const helpText = `Runs the local Svc service: the interface of the Svc service, answered by rules instead of a model.

Usage: node test/service/main.ts [options]

  --port N               port to listen on (default 4010; 0 takes any free one)
  --host HOST            127.0.0.1 (default), ::1 or localhost
  --scenario NAME        behave as this scenario for every chat request: strict refuses what the strictest services refuse,
                         and so do strict-roles, strict-tools, strict-parameters and strict-window, each in its part;
                         the names of what gateways do to an answer, a tool call or an error are in --list-scenarios
  --list-scenarios       list the scenarios and end
  --demo                 stream at reading speed; "!scenario NAME" at the start of a message picks a scenario for it
  --tokens-per-second N  answer at this rate, such as 80
  --first-token-ms N     wait this long before the first token
  --upstream URL         answer from an OpenAI-compatible server, such as http://127.0.0.1:11434/v1
  --upstream-model NAME  the model to ask the upstream for, whatever the client names
  --help                 show this text

SVC_UPSTREAM_KEY, when set, is sent to the upstream as its key.
`;

/** The parsed command line. */
export type Command =
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'run'; readonly options: ServiceOptions };

/** Throws an Error with a message for the user. */
export function parseCommandLine(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Command {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      scenario: { type: 'string' },
      'list-scenarios': { type: 'boolean' },
      demo: { type: 'boolean' },
      'tokens-per-second': { type: 'string' },
      'first-token-ms': { type: 'string' },
      upstream: { type: 'string' },
      'upstream-model': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return { kind: 'print', text: helpText };
  if (values['list-scenarios']) return { kind: 'print', text: scenarioList() };
  const port = Number(values.port ?? '4010');
  if (!/^\d+$/.test(values.port ?? '4010') || port > 65535)
    throw new Error(`--port ${values.port} is not a port number.`);
  const host = values.host ?? '127.0.0.1';
  assertLoopback(host);
  const { scenario, upstream } = values;
  if (scenario !== undefined && !isScenarioName(scenario))
    throw new Error(`--scenario ${scenario} does not exist. --list-scenarios shows those that do.`);
  if (upstream !== undefined && !(URL.canParse(upstream) && /^https?:/.test(upstream)))
    throw new Error(`--upstream ${upstream} is not an http or https address.`);
  if (upstream === undefined && values['upstream-model'] !== undefined)
    throw new Error('--upstream-model needs --upstream.');
  const tokensPerSecond = positive('tokens-per-second', values['tokens-per-second']);
  const firstTokenMs = positive('first-token-ms', values['first-token-ms']);
  const key = env.SVC_UPSTREAM_KEY;
  const model = values['upstream-model'];
  return {
    kind: 'run',
    options: {
      port,
      host,
      demo: values.demo === true,
      ...(values.demo === true ? { afterDeltas: 20 } : {}),
      ...(tokensPerSecond === undefined ? {} : { tokensPerSecond }),
      ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
      ...(scenario === undefined ? {} : { scenario }),
      ...(upstream === undefined
        ? {}
        : { upstream: { url: upstream, ...(key ? { key } : {}), ...(model === undefined ? {} : { model }) } }),
    },
  };
}

/** Throws an Error with a message for the user. */
function positive(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,6}(?:\.\d{1,3})?$/.test(value) || Number(value) === 0)
    throw new Error(`--${name} ${value} is not a positive number.`);
  return Number(value);
}

function scenarioList(): string {
  const width = Math.max(...scenarioNames.map((name) => name.length));
  return scenarioNames.map((name) => `${name.padEnd(width)}  ${scenarios[name].description}\n`).join('');
}
