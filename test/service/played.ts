import type { ChatBody } from './chatBody.ts';

/** What a played model answers to a request. Without calls, its turn is over. */
export interface PlayedAnswer {
  readonly text?: string;
  /** A text as `input` is sent as it is: a model may write JSON that is not complete. */
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
  /** Why the answer ends, if not because it is complete. */
  readonly finishReason?: 'length';
}

/** Plays a model: it sees a request, and decides what the answer is; undefined for an answer by the rules of the service. */
export type PlayedModel = (body: ChatBody) => PlayedAnswer | undefined;
