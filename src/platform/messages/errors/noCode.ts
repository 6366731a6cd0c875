import { ServiceError } from '../../../util/errors.ts';

/** An answer without code: the model asks something, declines, or only explains. */
export class NoCode extends ServiceError<'protocol'> {
  // A private field, so that no log and no result of a command includes it.
  readonly #said: string;

  constructor(said: string) {
    super('protocol', 'The answer has no code.', { code: 'no-code' });
    this.#said = said;
  }

  /** The model's text, for a message to the user. */
  get said(): string {
    return this.#said;
  }
}
