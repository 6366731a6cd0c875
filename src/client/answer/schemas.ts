import * as z from 'zod/mini';

/**
 * Schemas for all responses except answers, which answerShape.ts reads. The interface document leaves most of them "not shown",
 * so everything is optional, a field of an unexpected type is treated as missing, and unknown fields are ignored.
 */
const lenient = <T extends z.ZodMiniType>(schema: T) => z.catch(z.nullish(schema), undefined);

const text = lenient(z.string());
const list = <T extends z.ZodMiniType>(item: T) => z.catch(z.array(item), []);

const errorObject = z.object({
  message: text,
  code: lenient(z.union([z.string(), z.number()])),
  type: text,
  status: lenient(z.number()),
  param: text,
  n_ctx: lenient(z.number()),
  // OpenRouter: the response of the server behind it.
  metadata: lenient(z.object({ raw: lenient(z.union([z.string(), z.record(z.string(), z.unknown())])) })),
});

/** `{"error": {...}}`, `{"error": "..."}`, `{"message": "..."}`, `{"detail": ...}`, `{"errors": [...]}` and similar forms. */
export const errorBodySchema = z.object({
  error: lenient(z.union([errorObject, z.string()])),
  errors: lenient(z.array(z.union([errorObject, z.string()]))),
  message: text,
  msg: text,
  error_msg: text,
  error_message: text,
  errorMessage: text,
  error_description: text,
  detail: lenient(
    z.union([
      z.string(),
      z.array(z.looseObject({ msg: text, loc: lenient(z.array(z.union([z.string(), z.number()]))) })),
      errorObject,
    ]),
  ),
  code: lenient(z.union([z.string(), z.number()])),
  param: text,
  type: text,
});

export const modelListSchema = z.object({ data: list(lenient(z.object({ id: text, name: text }))) });

export type ErrorBody = z.infer<typeof errorBodySchema>;
