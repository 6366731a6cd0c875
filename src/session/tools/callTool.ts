import type { ToolCall } from '../../client/chat.ts';
import { isServiceError } from '../../util/errors.ts';
import { orAborted } from '../../util/orAborted.ts';
import { identifier } from '../prompts/identifier.ts';
import type { Toolbox } from './toolbox.ts';
import { bytesOf, closed, saying, type ToolDecision, type ToolStep } from './toolStep.ts';

/** A turn makes no more calls than this: a model that goes round in circles would not stop by itself. */
export const maxCalls = 20;
/** A person reads what a tool is called with, all of it: longer inputs (JSON, characters) are refused. */
const maxInputChars = 16_000;

export interface CallParts {
  readonly toolbox: Toolbox;
  /** Calls that the turn has made before. */
  readonly made: number;
  /** Names of the tools that the user has allowed in this conversation. */
  readonly granted: Set<string>;
  /** Shows the step as it is now. */
  readonly put: (step: ToolStep) => void;
  /** Asks the user; throws where the turn is stopped. */
  readonly ask: (step: ToolStep) => Promise<ToolDecision>;
  readonly signal: AbortSignal;
}

/**
 * Takes one call of an answer to its end: refused, denied, or allowed and run. Whatever comes of it the model is told, and
 * the turn goes on; it is written down, and shown. Throws a ServiceError (`aborted`) where the turn is stopped.
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
  const { toolbox, made, granted, ask, signal } = parts;
  const call: ToolCall = { id: start.callId, name: start.name, input: start.input };
  if (made >= maxCalls) {
    const text = `Not run: a turn makes at most ${maxCalls} calls. Answer with what you know.`;
    return { ...start, state: 'capped', output: saying(text) };
  }
  const why = whyNotEven(call, toolbox) ?? (await toolbox.whyNot(call));
  if (why !== null) return { ...start, state: 'refused', output: saying(why) };

  let allowed: ToolStep['allowed'] = 'conversation';
  if (!granted.has(call.name)) {
    const asking: ToolStep = { ...start, state: 'asking' };
    show(asking);
    const decision = await ask(asking);
    if (decision === 'deny') {
      const text = 'The person did not allow this call. Go on without it.';
      return { ...start, state: 'denied', output: saying(text) };
    }
    if (decision === 'conversation') granted.add(call.name);
    allowed = decision;
  }
  const running: ToolStep = { ...start, state: 'running', allowed };
  show(running);
  // Some tools are not ours and may never hear that they are stopped: they are not waited for.
  return { ...running, ...(await orAborted(toolbox.run(call, signal), signal)) };
}

function whyNotEven({ name, input }: ToolCall, { offer }: Toolbox): string | null {
  if (!offer.tools.some((tool) => tool.name === name)) return 'Refused: no tool of this name was offered.';
  const { length } = JSON.stringify(input);
  return length > maxInputChars ? `Refused: the input is longer than ${maxInputChars} characters.` : null;
}

/** A fault of our own: its message could hold anything. */
function failed(step: ToolStep): ToolStep {
  return { ...step, state: 'failed', output: saying('The tool failed.') };
}

function record(step: ToolStep, toolbox: Toolbox): Promise<void> {
  const { name, state, allowed } = step;
  return toolbox.record({
    kind: 'tool-call',
    // The service chose the word.
    tool: identifier(name),
    decision: state === 'denied' ? 'denied' : (allowed ?? 'none'),
    outcome: state === 'done' || state === 'refused' || state === 'denied' || state === 'capped' ? state : other(state),
    bytes: bytesOf(step),
  });
}

function other(state: ToolStep['state']): 'failed' | 'stopped' {
  return state === 'failed' ? 'failed' : 'stopped';
}
