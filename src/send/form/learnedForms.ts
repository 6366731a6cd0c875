import { createHash } from 'node:crypto';
import type { RequestContext } from '../../gate/admit.ts';
import { Emitter } from '../../util/event.ts';
import { type Target, targetOf } from '../budget/target.ts';
import type { Outgoing } from '../outgoing.ts';
import { type Form, type FormChange, isWhole, wholeForm } from './form.ts';
import { Suspects } from './suspects.ts';

type Context = Pick<RequestContext, 'connection' | 'options'>;

/** A form that is known to be needed, and the tools that it offers to see whether they are accepted. */
export interface KnownForm {
  readonly form: Form;
  readonly trial: readonly string[];
}

/** A set of tools that was offered to a target. */
interface KnownTools {
  readonly suspects: Suspects;
  readonly isNone: boolean;
}

/** The maximum number of sets of tools that are remembered; the oldest are forgotten. */
const maxSets = 50;
const noneKnown: KnownTools = { suspects: new Suspects(), isNone: false };

/**
 * The parts of a request's form that services refuse, for each address and model, until the window is closed or the user
 * retries. A part is refused if the service rejected and named it, or accepted the same request without it. What is known of
 * tools belongs to the set that was offered: with other tools, all are offered again.
 */
export class LearnedForms {
  readonly #changes = new Map<Target, ReadonlySet<FormChange>>();
  readonly #tools = new Map<string, KnownTools>();
  readonly #changed = new Emitter<void>();

  readonly #forgotten = new Emitter<{ readonly origin: string; readonly model: string }>();

  readonly onDidChange = this.#changed.event;
  /** Fires when what is known of a model at an address is forgotten. */
  readonly onDidForget = this.#forgotten.event;

  /** Returns the form for a request whose settings are known, or the whole form for other requests. */
  formFor(outgoing: Outgoing, context: Context): KnownForm {
    const target = targetIn(context);
    if (target === null) return { form: wholeForm, trial: [] };
    const { suspects, isNone } = this.#toolsOf(target, outgoing);
    const changes = this.#changes.get(target) ?? wholeForm.changes;
    if (isNone) return { form: { changes, withoutTools: 'all' }, trial: [] };
    const { trial } = suspects;
    const withoutTools = new Set(suspects.names.filter((name) => !trial.includes(name)));
    return { form: { changes, withoutTools }, trial };
  }

  /** Remembers changes that the requests to a target need. */
  addChanges(target: Target, changes: Iterable<FormChange>): void {
    const known = this.#changes.get(target) ?? new Set();
    const all = new Set([...known, ...changes]);
    if (all.has('max-tokens')) all.delete('max-tokens-renamed');
    this.#changes.set(target, all);
    this.#changed.fire();
  }

  changeTools(target: Target, outgoing: Outgoing, change: (suspects: Suspects) => Suspects): void {
    const known = this.#toolsOf(target, outgoing);
    this.#keep(keyOf(target, outgoing), { ...known, suspects: change(known.suspects) });
  }

  /** Remembers that the model accepts no tools. */
  addNoTools(target: Target, outgoing: Outgoing): void {
    this.#keep(keyOf(target, outgoing), { ...noneKnown, isNone: true });
  }

  /** Notes that the model has accepted tools: other sets are offered again. */
  noteTools(target: Target): void {
    const refused = [...this.#tools].filter(([key, { isNone }]) => isNone && key.startsWith(`${target}\n`));
    for (const [key] of refused) this.#tools.delete(key);
    if (refused.length > 0) this.#changed.fire();
  }

  /** The next request to the target is sent whole. */
  forget(context: Context): void {
    const { connection, options } = context;
    const target = targetIn(context);
    if (target === null || !connection.ok || !options.ok) return;
    this.#forgotten.fire({ origin: connection.connection.origin, model: options.options.model });
    const keys = [...this.#tools.keys()].filter((key) => key.startsWith(`${target}\n`));
    const had = this.#changes.delete(target) || keys.length > 0;
    for (const key of keys) this.#tools.delete(key);
    if (had) this.#changed.fire();
  }

  /** Like forget(), for all models of an origin. */
  forgetAt(origin: string | undefined): void {
    const isThere = (key: string): boolean => origin !== undefined && key.startsWith(`${origin}/`);
    const [targets, keys] = [[...this.#changes.keys()].filter(isThere), [...this.#tools.keys()].filter(isThere)];
    for (const target of targets) this.#changes.delete(target);
    for (const key of keys) this.#tools.delete(key);
    if (targets.length + keys.length > 0) this.#changed.fire();
  }

  /** Returns what is known for the target of the next request, whatever tools it offers. */
  known(context: Context): Form {
    const target = targetIn(context);
    return target === null ? wholeForm : this.#knownOf(target);
  }

  /** Returns what is known for all models of an address. */
  knownAt(baseUrl: string): readonly { readonly model: string; readonly form: Form }[] {
    const targets = [...this.#changes.keys(), ...[...this.#tools.keys()].map((key) => key.split('\n', 1)[0] ?? '')];
    const start = targetOf({ baseUrl }, { model: '' });
    return [...new Set(targets)]
      .filter((target) => target.startsWith(start))
      .map((target) => ({ model: target.slice(start.length), form: this.#knownOf(target) }))
      .filter(({ form }) => !isWhole(form));
  }

  #knownOf(target: Target): Form {
    const sets = [...this.#tools].filter(([key]) => key.startsWith(`${target}\n`)).map(([, known]) => known);
    return {
      changes: this.#changes.get(target) ?? wholeForm.changes,
      withoutTools: sets.some(({ isNone }) => isNone) ? 'all' : new Set(sets.flatMap(({ suspects }) => suspects.names)),
    };
  }

  dispose(): void {
    this.#changed.dispose();
    this.#forgotten.dispose();
  }

  #toolsOf(target: Target, outgoing: Outgoing): KnownTools {
    return this.#tools.get(keyOf(target, outgoing)) ?? noneKnown;
  }

  #keep(key: string, known: KnownTools): void {
    this.#tools.delete(key);
    this.#tools.set(key, known);
    const [oldest] = this.#tools.keys();
    if (this.#tools.size > maxSets && oldest !== undefined) this.#tools.delete(oldest);
    this.#changed.fire();
  }
}

function targetIn({ connection, options }: Context): Target | null {
  return connection.ok && options.ok ? targetOf(connection.connection, options.options) : null;
}

/** A hash, because definitions of tools may be long. */
function keyOf(target: Target, { offer }: Outgoing): string {
  const digest = createHash('sha256').update(JSON.stringify(offer?.tools ?? []));
  return `${target}\n${digest.digest('base64')}`;
}
