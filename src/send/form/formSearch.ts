import { readChatBody } from '../../client/chatBody.ts';
import { append } from '../../util/append.ts';
import type { ServiceError } from '../../util/errors.ts';
import { formOf } from '../admitAgain.ts';
import { targetOf } from '../budget/target.ts';
import type { Outgoing } from '../outgoing.ts';
import type { Sent } from '../sent.ts';
import { type Blame, blameOf, type SentBody } from './blame.ts';
import { type Form, type FormChange, leaveOutTools, withChange } from './form.ts';
import { inForm } from './inForm.ts';
import type { KnownForm, LearnedForms } from './learnedForms.ts';

/** The part that the last request left out although the service did not name it. */
type Guess =
  | { readonly is: 'changes'; readonly changes: readonly FormChange[] }
  /** Groups of tools, each of which contains a refused tool. */
  | { readonly is: 'tools'; readonly groups: readonly (readonly string[])[] };

/**
 * Finds the form in which a service accepts a request, from one refusal to the next. What it names is left out; if it names
 * nothing, first what the user misses least, then the halves of the tools. Only the last guess is remembered: it made the
 * difference.
 */
export class FormSearch {
  readonly #learned: LearnedForms;
  /** The whole request. */
  readonly #base: Outgoing;
  #form: Form;
  #trial: readonly string[];
  #isTrialLeftOut = false;
  #blamed: FormChange[] = [];
  #named: string[] = [];
  #takesNoTools = false;
  #guess: Guess | null = null;
  readonly #guessed = new Set<FormChange>();
  /** The halves of the tools, and the number of steps that were tried with them. */
  #halves: { readonly first: readonly string[]; readonly second: readonly string[]; readonly before: Form } | null =
    null;
  #step = 0;

  constructor(learned: LearnedForms, base: Outgoing, { form, trial }: KnownForm) {
    this.#learned = learned;
    this.#base = base;
    this.#form = form;
    this.#trial = trial;
  }

  /** The form of the request that was sent last. */
  get form(): Form {
    return this.#form;
  }

  /** Returns the request in the form to try after a refusal, or null if nothing more can be left out. */
  next(error: ServiceError, sent: Sent): Outgoing | null {
    const body = bodyOf(sent);
    const blame = blameOf(error, body);
    // The service names something else now, so it accepts the earlier change.
    if (blame !== null && this.#guess === null) this.#learnNamed(sent);
    const form = this.#after(blame, body);
    const next = form === null ? null : inForm(this.#base, form);
    if (form !== null && next !== null) this.#form = form;
    return next;
  }

  /** Called when the service has accepted the request. */
  accepted(sent: Sent): void {
    this.#learnNamed(sent);
    const target = targetIn(sent);
    if (sent.outgoing.offer !== undefined) this.#learned.noteTools(target);
    if (this.#trial.length > 0) {
      const isAccepted = !this.#isTrialLeftOut;
      this.#learned.changeTools(target, this.#base, (suspects) => suspects.tried(isAccepted));
    }
    const guess = this.#guess;
    if (guess?.is === 'changes') this.#learned.addChanges(target, guess.changes);
    if (guess?.is === 'tools') {
      this.#learned.changeTools(target, this.#base, (suspects) =>
        guess.groups.reduce((all, names) => all.with(names), suspects),
      );
    }
  }

  #learnNamed(sent: Sent): void {
    const target = targetIn(sent);
    const named = this.#named;
    if (this.#blamed.length > 0) this.#learned.addChanges(target, this.#blamed);
    if (named.length > 0) this.#learned.changeTools(target, this.#base, (suspects) => suspects.withNamed(named));
    if (this.#takesNoTools) this.#learned.addNoTools(target, this.#base);
    this.#blamed = [];
    this.#named = [];
    this.#takesNoTools = false;
  }

  #after(blame: Blame | null, sent: SentBody): Form | null {
    switch (blame?.is) {
      case 'setting':
        return null;
      case 'part':
        this.#blamed.push(blame.change);
        return withChange(this.#form, blame.change);
      case 'named-tools':
        append(this.#named, blame.names);
        return leaveOutTools(this.#form, blame.names);
      case 'all-tools':
        this.#takesNoTools = true;
        return { ...this.#form, withoutTools: 'all' };
      case 'messages':
        // This applies only to this request: with other messages, the tools may be accepted.
        return sent.body.tools === undefined ? null : { ...this.#form, withoutTools: 'all' };
      case 'some-tools':
        return this.#withoutTrial() ?? this.#withHalf(sent);
      case undefined:
        return this.#withoutTrial() ?? this.#withoutLeastMissed(sent) ?? this.#withHalf(sent);
    }
  }

  /** Leaves out the tools that were offered as a trial: they are the likeliest cause. */
  #withoutTrial(): Form | null {
    if (this.#trial.length === 0 || this.#isTrialLeftOut) return null;
    this.#isTrialLeftOut = true;
    return leaveOutTools(this.#form, this.#trial);
  }

  #withoutLeastMissed({ body, isSet }: SentBody): Form | null {
    if (this.#halves !== null) return null;
    const usage = body.stream_options === undefined ? [] : (['usage'] as const);
    // A value that the user has set is left out only if the service names it.
    const numbers = [
      ...(body.temperature === undefined || isSet.temperature ? [] : (['temperature'] as const)),
      ...(body.max_tokens === undefined || isSet.maxTokens ? [] : (['max-tokens'] as const)),
    ];
    const changes = [usage, numbers].find((some) => some.some((change) => !this.#guessed.has(change)));
    if (changes === undefined) return null;
    for (const change of changes) this.#guessed.add(change);
    this.#guess = { is: 'changes', changes };
    return withChange(this.#form, ...changes);
  }

  #withHalf({ body }: SentBody): Form | null {
    const names = (body.tools ?? []).map(({ function: { name } }) => name);
    if (this.#halves === null) {
      if (names.length === 0) return null;
      const middle = Math.ceil(names.length / 2);
      this.#halves = { first: names.slice(0, middle), second: names.slice(middle), before: this.#form };
    }
    const { first, second, before } = this.#halves;
    // A single tool has no second half.
    const steps = second.length === 0 ? [[first]] : [[second], [first], [first, second]];
    const groups = steps[this.#step];
    this.#step += 1;
    if (groups === undefined) return null;
    this.#guess = { is: 'tools', groups };
    return leaveOutTools({ ...this.#form, withoutTools: before.withoutTools }, groups.flat());
  }
}

function bodyOf({ admitted }: Sent): SentBody {
  const { maxTokens, temperature } = admitted.prepared.admission.options;
  const { request } = formOf(admitted.prepared, admitted.choice);
  return {
    body: readChatBody(request.body),
    isSet: { maxTokens: maxTokens !== null, temperature: temperature !== null },
  };
}

function targetIn({ admitted }: Sent): string {
  const { admission } = admitted.prepared;
  return targetOf(admission.connection, admission.options);
}
