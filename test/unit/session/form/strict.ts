import type { ChatBody } from '../../../../src/client/chatBody.ts';
import { ServiceError } from '../../../../src/util/errors.ts';
import { Stage } from '../dispatchStage.ts';

export type Complaint = { readonly message: string; readonly parameter?: string };

/** A service that refuses a body with a complaint of its own. */
export class Strict extends Stage {
  constructor(complain: (body: ChatBody & Record<string, unknown>) => Complaint | null) {
    super();
    const { answer } = this;
    this.answer = async function* (this: Strict, admitAgain, request) {
      const complaint = complain(JSON.parse(request.body));
      if (complaint !== null) {
        const { message: serviceMessage, parameter } = complaint;
        throw new ServiceError('request', 'no', { status: 400, serviceMessage, parameter });
      }
      yield* answer.call(this, admitAgain, request);
    };
  }

  /** The bodies since the last call. */
  bodies(): readonly (ChatBody & Record<string, unknown>)[] {
    return this.sent.splice(0).map(({ request }) => JSON.parse(request.body));
  }
}

export const bad = (message: string, parameter?: string): Complaint => ({
  message,
  ...(parameter === undefined ? {} : { parameter }),
});
