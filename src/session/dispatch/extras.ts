import type { RequestContext } from '../../gate/admit.ts';
import { isServiceError } from '../../util/errors.ts';
import { Emitter } from '../../util/event.ts';
import { type Target, targetOf } from '../budget/target.ts';
import type { Outgoing } from './outgoing.ts';
import type { Sent } from './sent.ts';

/**
 * Parts of a request that the interface document does not show, so a service may refuse a request because of them.
 * In the order in which they are left out: what the user misses least comes first.
 */
const extras = ['usage', 'tools'] as const;
type Extra = (typeof extras)[number];

/**
 * The extras that a service has refused, until the window is closed. Refused means: it answered 400 or 422, and the
 * same request without the extra was accepted. What the service wrote is not considered, unless the request was too
 * long: then it says nothing about the extras.
 */
export class RefusedExtras {
  readonly #refused = new Set<string>();
  readonly #changed = new Emitter<void>();

  readonly onDidChange = this.#changed.event;

  add(target: Target, extra: Extra): void {
    this.#refused.add(`${extra} ${target}`);
    this.#changed.fire();
  }

  has(extra: Extra, { connection, options }: Pick<RequestContext, 'connection' | 'options'>): boolean {
    return (
      connection.ok && options.ok && this.#refused.has(`${extra} ${targetOf(connection.connection, options.options)}`)
    );
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** The request without the extras that its service has refused before. */
  leaveOut(outgoing: Outgoing, { connection, options }: Pick<RequestContext, 'connection' | 'options'>): Outgoing {
    if (!connection.ok || !options.ok) return outgoing;
    const target = targetOf(connection.connection, options.options);
    let left = outgoing;
    for (const extra of extras) {
      if (this.#refused.has(`${extra} ${target}`)) left = without(left, extra) ?? left;
    }
    return left;
  }
}

/** The first extra of a request that it can do without, and the request without it; undefined if there is none. */
export function nextWithout({
  outgoing,
  admitted,
}: Pick<Sent, 'outgoing' | 'admitted'>): { readonly extra: Extra; readonly outgoing: Outgoing } | undefined {
  for (const extra of extras) {
    // Only a stream asks for its token counts.
    if (extra === 'usage' && !admitted.prepared.admission.options.stream) continue;
    const left = without(outgoing, extra);
    if (left !== null) return { extra, outgoing: left };
  }
  return undefined;
}

function without(outgoing: Outgoing, extra: Extra): Outgoing | null {
  if (extra === 'usage') return outgoing.isWithoutUsage ? null : { ...outgoing, isWithoutUsage: true };
  const left = outgoing.withoutTools?.();
  if (left === undefined) return null;
  return outgoing.isWithoutUsage ? { ...left, isWithoutUsage: true } : left;
}

/** The service rejected the form of the request: without an extra it may be accepted. */
export function isRefusal(thrown: unknown): boolean {
  if (!isServiceError(thrown) || thrown.kind !== 'request' || thrown.code === 'context-length') return false;
  return thrown.status === 400 || thrown.status === 422;
}
