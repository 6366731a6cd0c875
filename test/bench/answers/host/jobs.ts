import type { Place } from '../corpus.ts';

/** What the bench asks of the extension host. */
export interface Jobs {
  /** The text of each file of each project, by its path. */
  readonly projects: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly jobs: readonly Job[];
}

export interface Job {
  readonly id: number;
  readonly place: Place;
  /** null if only the request is wanted. */
  readonly answer: string | null;
  /** The answer to a further request; null repeats the first one. */
  readonly second: string | null;
}

/** A question that the user had to answer. */
export interface Question {
  readonly message: string;
  readonly buttons: readonly string[];
}

/** What became of an answer with one way of answering the questions. */
export interface Outcome {
  /** What would be written, and where; null if the answer was refused. */
  readonly placed: { readonly path: string; readonly text: string } | null;
  /** Why it, or a block of it, was refused; empty if nothing was. */
  readonly refusal: string;
  readonly questions: readonly Question[];
  /** How many requests were sent. */
  readonly requests: number;
}

export interface JobResult {
  readonly id: number;
  /** The messages of the first request. */
  readonly request: string;
  /** The messages of the further request; empty if there is none. */
  readonly further: string;
  /** The text of the place's file before. */
  readonly before: string;
  /** Without an answer: empty. The first has the first button of each question pressed, the next one the second, and so on. */
  readonly outcomes: readonly Outcome[];
}
