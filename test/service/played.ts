import type { ChatBody } from './chatBody.ts';

/** The answer of a played model to a request. Without calls, its turn is over. */
export interface PlayedAnswer {
  readonly text?: string;
  /** A text as `input` is sent as it is: a model may write JSON that is not complete. */
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
  /** The reason why the answer ends, if it is not complete. */
  readonly finishReason?: 'length';
}

/** Plays a model: it sees a request, and decides what the answer is; undefined for an answer by the rules of the service. */
export type PlayedModel = (body: ChatBody) => PlayedAnswer | undefined;
