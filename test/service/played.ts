import type { ChatBody } from './chatBody.ts';

/** What a played model answers to a request. Without calls, its turn is over. */
export interface PlayedAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
}

/** Plays a model: it sees a request, and decides what the answer is; undefined for an answer by the rules of the service. */
export type PlayedModel = (body: ChatBody) => PlayedAnswer | undefined;
