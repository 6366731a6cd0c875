import type { Outgoing, OutgoingMessage } from '../outgoing.ts';
import { type Form, isWhole } from './form.ts';

/** Returns the request in a form, or null if it needs a tool that the form leaves out. */
export function inForm(outgoing: Outgoing, form: Form): Outgoing | null {
  if (isWhole(form)) return outgoing;
  const offered = withFewerTools(outgoing, form);
  if (offered === null) return null;
  const messages = form.changes.has('system-role') ? withoutSystemRole(offered.messages) : offered.messages;
  const { limit } = outgoing;
  return { ...offered, messages, form, ...(limit === undefined ? {} : { limit }) };
}

function withFewerTools(outgoing: Outgoing, { withoutTools: left }: Form): Outgoing | null {
  const { offer } = outgoing;
  if (offer === undefined || (left !== 'all' && left.size === 0)) return outgoing;
  const tools = left === 'all' ? [] : offer.tools.filter(({ name }) => !left.has(name));
  if (tools.length > 0) return { ...outgoing, offer: { ...offer, tools } };
  return outgoing.withoutTools?.() ?? null;
}

/** Moves the rules of a system message to the lead of the question that follows it. */
function withoutSystemRole(messages: readonly OutgoingMessage[]): readonly OutgoingMessage[] {
  const changed: OutgoingMessage[] = [];
  let rules: OutgoingMessage['parts'] = [];
  for (const message of messages) {
    if (message.role === 'system') rules = [...rules, ...message.parts];
    else if (message.role !== 'user' || rules.length === 0) changed.push(message);
    else {
      changed.push({ ...message, lead: [...rules, ...(message.lead ?? [])] });
      rules = [];
    }
  }
  return rules.length === 0 ? changed : [...changed, { role: 'user', parts: rules, secrets: 'mask' }];
}
