import type { ServerResponse } from 'node:http';
import type { ReceivedRequest } from './received.ts';
import type { Scenario, ScenarioSettings } from './scenario.ts';
import { isScenarioName, type ScenarioName, scenarios } from './scenarios.ts';

/** A test's own answer, byte by byte, for behavior that no scenario has. */
export type RawAnswer = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>;

export interface PickedScenario {
  readonly scenario: Scenario;
  readonly settings: ScenarioSettings;
}

/** Selects the scenario of a request: the queue first, then the message (in a demo), then the current setting. */
export class ScenarioQueue {
  readonly #defaults: ScenarioSettings;
  readonly #isDemo: boolean;
  readonly #queue: (ScenarioName | RawAnswer)[] = [];
  readonly #usedByMessage = new Map<string, number>();
  #name: ScenarioName = 'normal';
  #settings: ScenarioSettings;
  #used = 0;

  constructor(defaults: ScenarioSettings, isDemo: boolean) {
    this.#defaults = defaults;
    this.#settings = defaults;
    this.#isDemo = isDemo;
  }

  set(name: ScenarioName, settings: ScenarioSettings): void {
    this.#name = name;
    this.#settings = { ...this.#defaults, ...settings };
    this.#used = 0;
  }

  enqueue(items: readonly (ScenarioName | RawAnswer)[]): void {
    this.#queue.push(...items);
  }

  clear(): void {
    this.#queue.length = 0;
    this.#usedByMessage.clear();
    this.set('normal', {});
  }

  /** `lastMessage` is the last user message of a chat request, or null for the other endpoints. */
  pick(endpoint: string, lastMessage: string | null): PickedScenario {
    const queued = lastMessage === null ? undefined : this.#queue.shift();
    if (typeof queued === 'function') {
      return {
        scenario: { description: '', instead: ({ response, request }) => queued(response, request) },
        settings: {},
      };
    }
    if (queued !== undefined) return this.#picked(queued);
    const named = this.#isDemo && lastMessage !== null ? scenarioInMessage(lastMessage) : undefined;
    if (named !== undefined && lastMessage !== null) return this.#pickNamed(named, lastMessage);
    const applies = (this.#settings.endpoints ?? ['/chat/completions']).includes(endpoint);
    if (!applies || this.#used >= limitOf(this.#name, this.#settings)) return this.#picked('normal');
    this.#used += 1;
    return this.#picked(this.#name);
  }

  /** A retry sends the same message again, and a scenario that happens once must then be over. */
  #pickNamed(name: ScenarioName, message: string): PickedScenario {
    const used = this.#usedByMessage.get(message) ?? 0;
    if (used >= limitOf(name, this.#defaults)) {
      this.#usedByMessage.delete(message);
      return this.#picked('normal');
    }
    this.#usedByMessage.set(message, used + 1);
    return this.#picked(name);
  }

  #picked(name: ScenarioName): PickedScenario {
    return { scenario: scenarios[name], settings: this.#settings };
  }
}

/** The scenario that a message requests with `!scenario NAME` at its very start. */
export function scenarioInMessage(message: string): ScenarioName | undefined {
  const name = /^\s*!scenario\s+([a-z-]+)/.exec(message)?.[1];
  return name !== undefined && isScenarioName(name) ? name : undefined;
}

function limitOf(name: ScenarioName, settings: ScenarioSettings): number {
  const scenario: Scenario = scenarios[name];
  return settings.times ?? scenario.times ?? Number.POSITIVE_INFINITY;
}
