import * as z from 'zod/mini';

/**
 * What the service may say. The interface document leaves most of it "not shown", so everything is optional, what has
 * another type than expected counts as absent, and what is not named here is ignored.
 */
const lenient = <T extends z.ZodMiniType>(schema: T) => z.catch(z.nullish(schema), undefined);

const text = lenient(z.string());
const count = lenient(z.number());
const list = <T extends z.ZodMiniType>(item: T) => z.catch(z.array(item), []);

/** Text as one string, or in the parts that some services send. */
const content = lenient(z.union([z.string(), z.array(z.looseObject({ text }))]));

const part = lenient(z.object({ content, reasoning: text, reasoning_content: text, refusal: text }));

const choice = z.object({
  index: count,
  /** In a chunk. */
  delta: part,
  /** In a whole completion. */
  message: part,
  finish_reason: text,
});

const errorObject = z.object({
  message: text,
  code: lenient(z.union([z.string(), z.number()])),
  type: text,
  status: lenient(z.number()),
});

/** `{"error": {...}}`, `{"error": "..."}`, `{"message": "..."}` or `{"detail": "..."}`. */
export const errorBodySchema = z.object({
  error: lenient(z.union([errorObject, z.string()])),
  message: text,
  detail: lenient(z.union([z.string(), z.array(z.looseObject({ msg: text }))])),
  code: lenient(z.union([z.string(), z.number()])),
});

/** A chunk of a stream or a whole completion: they differ in `delta` and `message` only. */
export const answerSchema = z.object({
  choices: list(choice),
  usage: lenient(z.object({ prompt_tokens: count, completion_tokens: count, total_tokens: count })),
  security: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
});

export const modelListSchema = z.object({ data: list(lenient(z.object({ id: text }))) });

export type Answer = z.infer<typeof answerSchema>;
export type ErrorBody = z.infer<typeof errorBodySchema>;
