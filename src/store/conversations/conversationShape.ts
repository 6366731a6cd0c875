import * as z from 'zod/mini';
import { asMade } from '../../gate/content.ts';
import { layerNames } from '../../policy/requestPolicy.ts';
import { modes } from '../../protocol/mode.ts';
import { verdicts } from '../../protocol/posture.ts';
import { toolStepStates } from '../../protocol/toolStepState.ts';
import { endStatuses } from '../../protocol/turnStatus.ts';
import type { Summary } from '../../session/conversation/summary.ts';
import type { LastRequest, TurnAnswer, TurnQuestion } from '../../session/conversation/turn.ts';
import { asOwn } from '../../session/tools/ownText.ts';
import { errorKinds } from '../../util/errorKinds.ts';
import type { ServiceErrorKind } from '../../util/errors.ts';

/**
 * The format of a conversation's file: `{"version":3,"stamp":"...","conversation":{...}}`. The file belongs to the user, but
 * another program may have written to it, so everything is parsed and bounded. Fields that are needed to show a turn are
 * required; any other field of an unexpected type is treated as missing, and unknown fields are ignored.
 */
export const fileVersion = 3;
/** The maximum size of a file in bytes: larger files are neither read nor written. */
export const maxFileBytes = 64 * 1024 * 1024;

const maxPlaces = 10_000;
const maxTurns = 20_000;
const maxAttachments = 1000;
const maxCovered = 10_000;
const maxMarks = 100_000;
const maxHeaders = 50;
const maxSteps = 1000;

const short = z.string().check(z.maxLength(300));
const word = z.string().check(z.maxLength(100));
const time = z.number().check(z.nonnegative());
const count = z.number().check(z.nonnegative());
/** A field that is undefined if it has another type. */
const optional = <T extends z.ZodMiniType>(schema: T) => z.catch(z.optional(schema), undefined);
/** An object without keys for undefined fields. */
const fields = <T extends z.core.$ZodLooseShape>(shape: T) => z.pipe(z.object(shape), z.transform(present));

/** A schema for each field, except those that are never stored: the compiler asks for the schema of a new one. */
type Schemas<T, Unstored extends keyof T = never> = Record<Exclude<keyof T, Unstored>, z.ZodMiniType>;

/** A conversation's id is the name of its file, so it must not contain path characters. */
export const idPattern = /^[A-Za-z0-9_-]{1,100}$/;
const id = z.string().check(z.regex(idPattern));

const folder = z.nullable(z.string().check(z.maxLength(16_384)));
const uri = z.string().check(z.maxLength(16_384));

const attachment = z.object({
  label: z.string().check(z.maxLength(4096)),
  uri,
  firstLine: count,
  languageId: short,
  // platform/sources/ made this content before it was stored.
  text: z.pipe(z.string(), z.transform(asMade)),
  folder,
  // The field is strict: without this list, content of excluded files could be sent.
  covers: z.exactOptional(z.array(z.object({ uri, folder })).check(z.maxLength(maxCovered))),
  // The field is strict: without these marks, part of a secret would be sent.
  marks: z.exactOptional(z.array(z.object({ rule: word, start: count, end: count })).check(z.maxLength(maxMarks))),
  outside: z.exactOptional(z.string().check(z.maxLength(16_384))),
  refused: z.exactOptional(z.string().check(z.maxLength(16_384))),
});

/** The slash command of a question. If it is missing, the question is the typed text. */
const command = z.object({
  name: word,
  text: z.string(),
  model: z.exactOptional(short),
  folder: z.exactOptional(z.string().check(z.maxLength(16_384))),
});

const header = z.object({
  name: word,
  value: short,
  setBy: z.array(fields({ layer: z.enum(layerNames), name: optional(short) })).check(z.maxLength(maxHeaders)),
});

const verdict = z.enum(verdicts);

const receipt = z.object({
  verdict,
  headers: z
    .array(z.object({ name: word, requested: short, said: z.nullable(short), verdict }))
    .check(z.maxLength(maxHeaders)),
  text: z.string().check(z.maxLength(8192)),
});

const kinds = Object.keys(errorKinds) as ServiceErrorKind[];

/** An error as kinds, codes and ids: the service's message may quote the request, and a cause may contain anything. */
const error = fields({
  kind: z.enum(kinds),
  code: optional(word),
  externalCode: optional(word),
  status: optional(count),
  requestId: optional(short),
  host: optional(short),
  origin: optional(short),
  contextTokens: optional(count),
});

const usage = fields({
  promptTokens: optional(count),
  completionTokens: optional(count),
  totalTokens: optional(count),
});

const step = fields({
  id: word,
  callId: short,
  name: short,
  input: z.record(z.string(), z.unknown()),
  round: count,
  at: count,
  state: z.enum(toolStepStates),
  allowed: optional(z.enum(['once', 'conversation'])),
  isOnlyOnce: optional(z.literal(true)),
  output: optional(
    fields({
      text: z.pipe(z.string(), z.transform(asOwn)),
      attachments: z.array(attachment).check(z.maxLength(100)),
      cutFrom: optional(count),
    }),
  ),
});

const counts = z.object({ turn: count, attachment: count, result: count });
/** The numbers of parts that a request left out to fit, because a list in every turn would have megabytes. */
const shortened = z.pipe(
  z.object({ counts, tokens: count }),
  z.transform((numbers) => ({ ...numbers, parts: [] })),
);

const summary = fields({
  text: z.string(),
  turns: count,
  model: short,
  usage: optional(usage),
  requestId: optional(short),
  requested: optional(z.array(header).check(z.maxLength(maxHeaders))),
  receipt: optional(receipt),
  masked: optional(count),
  shortened: optional(shortened),
  isEdited: optional(z.literal(true)),
} satisfies Schemas<Summary, 'contentLeftOut'>);

const labels = z.array(z.string().check(z.maxLength(4096)));

/** The schema has no `isZeroRetention`: no part of a turn under zero retention is stored. */
const question = fields({
  askedAt: z.catch(time, 0),
  mode: optional(z.enum(modes)),
  action: z.catch(z.enum(['chat', 'explain', 'generate', 'review']), 'chat'),
  prompt: z.string(),
  command: optional(command),
  attachments: z.array(attachment).check(z.maxLength(maxAttachments)),
  outdated: z.catch(labels.check(z.maxLength(maxAttachments)), []),
  secrets: optional(z.union([z.literal('mask'), z.object({ asIsFor: z.string().check(z.maxLength(2000)) })])),
  origin: optional(short),
  places: optional(labels.check(z.maxLength(maxPlaces))),
} satisfies Schemas<TurnQuestion, 'isZeroRetention'>);

// The text comes first: conversationSearch.ts finds it there.
const answer = fields({
  text: z.string(),
  steps: z.catch(z.array(step).check(z.maxLength(maxSteps)), []),
  finishReason: optional(word),
  usage: optional(usage),
  receipt: optional(receipt),
  isWithoutTools: optional(z.literal(true)),
} satisfies Schemas<TurnAnswer>);

const lastRequest = fields({
  model: short,
  headers: z.catch(z.array(header).check(z.maxLength(maxHeaders)), []),
  serviceRequestId: optional(short),
  auditRequestId: optional(short),
  masked: z.catch(count, 0),
  repeated: z.catch(labels.check(z.maxLength(maxAttachments)), []),
  changesOnly: z.catch(labels.check(z.maxLength(maxAttachments)), []),
  shortened: optional(shortened),
  sentAgain: optional(fields({ window: optional(count), declared: optional(count) })),
  readsLess: optional(z.object({ counted: count, sent: count })),
} satisfies Schemas<LastRequest>);

export const storedTurnSchema = fields({
  id: short,
  /** The id of the turn that it follows, or null for a first turn. */
  parent: z.catch(z.nullable(short), null),
  /** The number of its changes on the disk: see conversationMerge.ts. */
  revision: z.catch(count, 0),
  question,
  answer,
  lastRequest: optional(lastRequest),
  summary: optional(summary),
  /** It is undefined if the turn was running: no process continues such a turn. */
  end: optional(fields({ status: z.enum(endStatuses), error: optional(error) })),
});

export const storedConversationSchema = fields({
  id,
  createdAt: time,
  /** The time at which a turn was last added or changed. */
  updatedAt: time,
  title: optional(z.string().check(z.maxLength(400))),
  /** The time at which it was last renamed; undefined if it never was. */
  titledAt: optional(time),
  isPinned: optional(z.literal(true)),
  /** The time at which it was last pinned or unpinned; undefined if it never was. */
  pinnedAt: optional(time),
  /** The last choice of a model for this conversation; undefined if the user never chose one. */
  model: optional(z.object({ id: z.nullable(short), at: time })),
  /** The last choice of a mode for this conversation. */
  mode: optional(z.object({ id: z.enum(modes), at: time })),
  /** The last turn of the branch that was shown. */
  shown: optional(short),
  /** Turns of all branches; each follows its parent. */
  turns: z.array(storedTurnSchema).check(z.maxLength(maxTurns)),
});

/** The version and the id of the file, which are parsed first. */
export const envelopeSchema = z.object({ version: z.number(), stamp: optional(word), conversation: z.unknown() });

export type StoredTurn = z.infer<typeof storedTurnSchema>;
export type StoredConversation = z.infer<typeof storedConversationSchema>;

/** The same type, but without keys whose values are undefined. */
type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns a copy without the fields that are undefined. */
export function present<T extends object>(values: T): Present<T> {
  const kept: Partial<T> = {};
  for (const key in values) if (values[key] !== undefined) kept[key] = values[key];
  return kept as unknown as Present<T>;
}
