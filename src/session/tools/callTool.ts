import type { ToolCall } from '../../client/chat.ts';
import { identifier } from '../../send/identifier.ts';
import { isServiceError } from '../../util/errors.ts';
import { orAborted } from '../../util/orAborted.ts';
import { type OwnText, ownText } from './ownText.ts';
import type { NextCall } from './stopRules.ts';
import type { Toolbox } from './toolbox.ts';
import { bytesOf, closed, saying, type ToolDecision, type ToolStep } from './toolStep.ts';

interface CallParts {
  readonly toolbox: Toolbox;
  /** The treatment of the call by the rules for a turn. */
  readonly next: NextCall;
  /** Names of the tools that the user has allowed in this conversation. */
  readonly granted: Set<string>;
  /** Shows the current state of the step. */
  readonly put: (step: ToolStep) => void;
  /** Asks the user; throws if the turn is stopped. */
  readonly ask: (step: ToolStep) => Promise<ToolDecision>;
  readonly signal: AbortSignal;
}

/**
 * Handles one call of an answer until it is refused, denied, or run. In each case the call has a result for the model, and
 * is recorded and shown. Throws a ServiceError (`aborted`) if the turn is stopped.
 */
export async function callTool(start: ToolStep, parts: CallParts): Promise<ToolStep> {
  let step = start;
  const show = (next: ToolStep): void => {
    step = next;
    parts.put(next);
  };
  try {
    show(await ended(step, parts, show));
  } catch (thrown) {
    const wasStopped = isServiceError(thrown) && thrown.kind === 'aborted';
    show(wasStopped ? closed(step) : failed(step));
    if (wasStopped) throw thrown;
  } finally {
    await record(step, parts.toolbox);
  }
  return step;
}

async function ended(start: ToolStep, parts: CallParts, show: (step: ToolStep) => void): Promise<ToolStep> {
  const { toolbox, next, granted, ask, signal } = parts;
  if (next !== 'run') return { ...start, ...notRun[next] };
  const call: ToolCall = { id: start.callId, name: start.name, input: start.input };
  const why = whyNotEven(call, toolbox);
  const refused = why === null ? await toolbox.whyNot(call) : saying(why);
  if (refused !== null) return { ...start, state: 'refused', output: refused };

  const mustAsk = toolbox.mustAsk(call);
  let allowed: ToolStep['allowed'] = mustAsk ? 'conversation' : undefined;
  const isOnlyOnce = toolbox.asksEach(call.name);
  if (mustAsk && (isOnlyOnce || !granted.has(call.name))) {
    let question: string | undefined;
    do {
      question = toolbox.questionAbout(call);
      const asking = askingStep(start, isOnlyOnce, question);
      show(asking);
      const decision = await ask(asking);
      if (decision === 'deny') {
        const text = ownText`The user did not allow this call. Go on without it.`;
        return { ...start, state: 'denied', output: saying(text) };
      }
      allowed = isOnlyOnce || toolbox.asksEach(call.name) ? 'once' : decision;
      // The settings, the administrator's policy, or the subject of the question may have changed while the user was asked.
      const refusedSince = await toolbox.whyNot(call);
      if (refusedSince !== null) return { ...start, state: 'refused', output: refusedSince };
    } while (toolbox.questionAbout(call) !== question);
    if (allowed === 'conversation') granted.add(call.name);
  }
  const running: ToolStep = { ...start, state: 'running', ...(allowed === undefined ? {} : { allowed }) };
  show(running);
  // Tools of other extensions may ignore cancellation: do not wait for them.
  return { ...running, ...(await orAborted(toolbox.run(call, signal), signal)) };
}

function askingStep(start: ToolStep, isOnlyOnce: boolean, question: string | undefined): ToolStep {
  return {
    ...start,
    state: 'asking',
    ...(isOnlyOnce ? { isOnlyOnce } : {}),
    ...(question === undefined ? {} : { question }),
  };
}

/** The results of calls that are not even checked, because of the calls before them. */
const notRun = {
  'as-before': {
    state: 'refused',
    output: saying(ownText`Not run: this call was made before, and its result is above.`),
  },
  refuse: {
    state: 'refused',
    output: saying(ownText`Refused: this is the same call as before, and nothing has changed. Do not make it again.`),
  },
  stop: { state: 'capped', output: saying(ownText`Not run: the turn was stopped before this call.`) },
} as const satisfies Record<Exclude<NextCall, 'run'>, Pick<ToolStep, 'state' | 'output'>>;

function whyNotEven({ name, input }: ToolCall, toolbox: Toolbox): OwnText | null {
  if (!toolbox.offer.tools.some((tool) => tool.name === name))
    return ownText`Refused: no tool of this name was offered.`;
  const limit = toolbox.maxInputChars(name);
  return JSON.stringify(input).length > limit ? ownText`Refused: the input is longer than ${limit} characters.` : null;
}

/** The step after an error in our own code, whose message could contain anything. */
function failed(step: ToolStep): ToolStep {
  return { ...step, state: 'failed', output: saying(ownText`The tool failed.`) };
}

function record(step: ToolStep, toolbox: Toolbox): Promise<void> {
  const { name, state, allowed } = step;
  return toolbox.record({
    kind: 'tool-call',
    // The service chose the name, which could contain anything.
    tool: identifier(name),
    decision: state === 'denied' ? 'denied' : (allowed ?? 'none'),
    outcome: state === 'done' || state === 'refused' || state === 'denied' || state === 'capped' ? state : other(state),
    bytes: bytesOf(step),
  });
}

function other(state: ToolStep['state']): 'failed' | 'stopped' {
  return state === 'failed' ? 'failed' : 'stopped';
}
