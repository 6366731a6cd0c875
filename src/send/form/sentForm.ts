import type { Outgoing } from '../outgoing.ts';
import type { Sent } from '../sent.ts';
import type { Form, FormChange, SentForm } from './form.ts';

const ofSettings = {
  maxTokens: ['max-tokens'],
  temperature: ['temperature'],
} as const satisfies Record<string, readonly FormChange[]>;

interface Facts {
  readonly before: Form;
  readonly form: Form;
  /** The number of requests that were sent until one was accepted. */
  readonly requests: number;
  /** Whether one of them was sent because another was too long, which has its own card. */
  readonly isShorter: boolean;
}

/** Returns null if the request was sent as the user expects it. */
export function sentForm(base: Outgoing, sent: Sent, { before, form, requests, isShorter }: Facts): SentForm | null {
  const { options } = sent.admitted.prepared.admission;
  const names = (['maxTokens', 'temperature'] as const).filter((name) => options[name] !== null);
  const unsent = names.flatMap((name) => ofSettings[name].filter((change) => form.changes.has(change)));
  const changed = [...form.changes].filter((change) => !before.changes.has(change));
  const offered = new Set(sent.outgoing.offer?.tools.map(({ name }) => name));
  const tools =
    offered.size === 0 ? [] : (base.offer?.tools ?? []).map(({ name }) => name).filter((name) => !offered.has(name));
  const isExpected = requests === (isShorter ? 2 : 1);
  if (isExpected && unsent.length === 0 && tools.length === 0) return null;
  return { requests, changed, unsent, tools };
}
