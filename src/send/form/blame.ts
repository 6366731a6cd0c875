import type { ChatBody } from '../../client/chatBody.ts';
import { isServiceError, type ServiceError } from '../../util/errors.ts';
import type { FormChange } from './form.ts';

/** The part of a request that a service does not accept, according to its message. */
export type Blame =
  | { readonly is: 'part'; readonly change: FormChange }
  /** A value that the user set is out of range: only they can change it. */
  | { readonly is: 'setting' }
  /** Tools that it names, or those beyond the number that it accepts. */
  | { readonly is: 'named-tools'; readonly names: readonly string[] }
  | { readonly is: 'all-tools' }
  /** One or more of the tools. */
  | { readonly is: 'some-tools' }
  /** The order of the messages, or their calls and results, which may be accepted as text. */
  | { readonly is: 'messages' };

/** The body that was sent, and which of its values the user has set. */
export interface SentBody {
  readonly body: ChatBody;
  readonly isSet: { readonly maxTokens: boolean; readonly temperature: boolean };
}

/** Whether the service rejected the form of the request, which it may accept in another form. */
export function isRefusal(thrown: unknown): thrown is ServiceError {
  if (!isServiceError(thrown) || thrown.kind !== 'request' || thrown.code !== undefined) return false;
  // An error of status 500 that is a refusal is of this kind, too.
  return thrown.status === 400 || thrown.status === 422 || thrown.status === 500;
}

/** Returns the part that a refusal blames, by the field that it names, else by its message, or null if it is not known. */
export function blameOf({ parameter = '', serviceMessage = '' }: ServiceError, sent: SentBody): Blame | null {
  const field = parameter.toLowerCase();
  // A named field identifies the part: the message may mention other fields.
  const named = parts.find((part) => part.field.test(field));
  // The role of another message can be meant.
  if (named !== undefined && (named.name !== 'system-role' || named.words.test(serviceMessage))) {
    return ofPart(named, serviceMessage, sent);
  }
  const isTools = toolField.test(field);
  if (!isTools) {
    for (const part of parts) {
      const blame = part.words.test(serviceMessage) ? ofPart(part, serviceMessage, sent) : null;
      if (blame !== null) return blame;
    }
  }
  const { tools } = sent.body;
  if (!isTools && messageWords.some((words) => words.test(serviceMessage))) return { is: 'messages' };
  const concernsTools = isTools || toolWords.test(serviceMessage);
  return tools === undefined || !concernsTools ? null : ofTools(tools, parameter, serviceMessage);
}

interface Part {
  readonly name: 'usage' | 'tool-choice' | 'temperature' | 'max-tokens' | 'system-role';
  /** The beginning of the field's name. */
  readonly field: RegExp;
  readonly words: RegExp;
}

const parts: readonly Part[] = [
  { name: 'usage', field: /^stream_?options|include_?usage/, words: /\bstream[_ ]?options\b|\binclude[_ ]?usage\b/i },
  { name: 'temperature', field: /(?:^|\.)temperature\b/, words: /\btemperature\b/i },
  {
    name: 'max-tokens',
    field: /(?:^|\.)max_?(?:completion|output|new)?_?tokens(?:_to_sample)?\b/,
    words: /\bmax[_ ]?(?:completion[_ ]|output[_ ]?|new[_ ])?tokens\b/i,
  },
  { name: 'tool-choice', field: /^tool_?choice|^function_?call\b/, words: /\btool[_ ]?choice\b/i },
  {
    name: 'system-role',
    field: /^messages[\W\d]+role\b/,
    words:
      /\broles? (?:are|is) supported\b.{0,30}\bsystem\b|^(?!.*optional system message).*\broles must alternate\b|(?<!optional )\bsystem[ _-]?(?:role|message|prompt|instruction)s?\b|\brole\W{1,8}system\b|['"`‘“]system['"`’”]|\bdeveloper (?:role|message|instruction)s?\b/i,
  },
];

/** The value is out of range; the service accepts the parameter itself. */
const range =
  /\btoo (?:large|big|high|small|low)\b|\bat (?:most|least)\b|\b(?:less|fewer|greater|more|larger|smaller) than\b|\bbetween\b|\brange\b|\bexceed|[<>≤≥]=?|\bm(?:ax|in)imum\b/i;
/** The service does not know or accept what it names. */
const unknown =
  /\bunsupported\b|\bun(?:known|recogni[sz]ed|expected)\b|\bnot (?:be |currently |yet )?(?:supported|allowed|permitted|available|enabled|accepted|implemented)\b|\b(?:does|do|can|is)(?: not|n't|n’t|not) (?:support|take|accept|allow|use|enable|have|recogni[sz]e)|\bextra (?:inputs?|fields?)\b|\bonly the default\b|\bno (?:support|endpoints)\b|\bdeprecated\b|\bdisabled\b|\brequires? --\w/i;

/** Returns null if the request does not have the part: then something else is meant. */
function ofPart({ name }: Part, message: string, { body, isSet }: SentBody): Blame | null {
  const part = (change: FormChange): Blame => ({ is: 'part', change });
  const isOutOfRange = range.test(message) && !unknown.test(message);
  switch (name) {
    case 'usage':
      return body.stream_options === undefined ? null : part('usage');
    case 'temperature':
      if (body.temperature === undefined) return null;
      return isOutOfRange && isSet.temperature ? { is: 'setting' } : part('temperature');
    case 'max-tokens':
      if (body.max_completion_tokens !== undefined) {
        return isOutOfRange && isSet.maxTokens ? { is: 'setting' } : part('max-tokens');
      }
      if (body.max_tokens === undefined) return null;
      if (/\bmax_completion_tokens\b/.test(message) && !isOutOfRange) return part('max-tokens-renamed');
      return isOutOfRange && isSet.maxTokens ? { is: 'setting' } : part('max-tokens');
    case 'tool-choice':
      if (body.tools === undefined) return null;
      // vLLM names this option if it accepts no tools at all.
      if (/--enable-auto-tool-choice|tool[_-]call[_-]parser/.test(message)) return { is: 'all-tools' };
      return body.tool_choice === 'auto' ? part('tool-choice') : null;
    case 'system-role':
      return body.messages.some(({ role }) => role === 'system') ? part('system-role') : null;
  }
}

/** Messages of services about calls and results in the messages of a request, not about the tools that are offered. */
const messageWords: readonly RegExp[] = [
  /\brole\W{1,4}(?:tool|function)\b|\btool[ _](?:message|result|response|role)s?\b|\btool[_ ]?call[_ ]?ids?\b|\btool_?results?\b/i,
  /\btool_use\b.{0,40}\bids?\b|\bfunction (?:call|response) (?:turn|part)s?\b|\bfunction calls and responses\b/i,
  /\broles must alternate\b|\bexpected last role\b|\bunexpected role\b|\breasoning_content\b/i,
  // Thoughts, and their signatures, belong to the calls of an answer; only text needs none.
  /\bthought_?signatures?\b|\bthinking blocks?\b/i,
];

type SentTools = NonNullable<ChatBody['tools']>;

const toolField = /^(?:tools|functions)\b|function_?declarations/;
const toolWords = /\btools?\b|\bfunctions?\b|\bfunction[_ -]?(?:call|declaration)|\btool[_ -]?(?:use|call)/i;
/** The message is about the definition of a tool, so the service may accept another tool. */
const schemaWords = /schema|\b(?:one|any|all)Of\b|\$ref|\bpropert|\bkeyword|\bformat\b|\benum\b|\bdescription\b/i;
const countWords =
  /\btoo (?:many|long)\b|\bat most\b|\bmaximum\b|\bmax\b|\bno more than\b|\bexceed|\bup to\b|\blimit|>/i;

function ofTools(tools: SentTools, parameter: string, message: string): Blame {
  const named = namesIn(tools, parameter, message);
  if (named.length > 0) return { is: 'named-tools', names: named };
  const limit = maxTools(tools.length, message);
  if (limit !== null) return { is: 'named-tools', names: tools.slice(limit).map(({ function: { name } }) => name) };
  return unknown.test(message) && !schemaWords.test(message) ? { is: 'all-tools' } : { is: 'some-tools' };
}

/** The tools that are named by their position in the field or the message, else by name. */
function namesIn(tools: SentTools, parameter: string, message: string): readonly string[] {
  const at = placeOf(parameter) ?? placeOf(message);
  const placed = at === undefined ? undefined : tools[at]?.function.name;
  if (placed !== undefined) return [placed];
  return tools.map(({ function: { name } }) => name).filter((name) => isNamed(name, message));
}

/** Gemini puts all functions into one tool, so the inner position is used. */
const placed: readonly RegExp[] = [
  /function_?declarations(?:\[|\.|['"]?,\s*)(\d+)/i,
  /\b(?:tools|functions)(?:\[|\.|['"]?,\s*)(\d+)/i,
];

function placeOf(text: string): number | undefined {
  const digits = placed.map((place) => place.exec(text)?.[1]).find((found) => found !== undefined);
  return digits === undefined ? undefined : Number(digits);
}

/** Whether a message names a tool. A name that may be an English word matches only in quotes, or after "function" or "tool". */
function isNamed(name: string, message: string): boolean {
  const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const before = /[_\d-]|[a-z][A-Z]/.test(name)
    ? String.raw`(?<![\w-])`
    : String.raw`(?:['"\x60‘“]|\b(?:[Ff]unction|[Tt]ool)(?: name)?[ :=]{1,3})`;
  return new RegExp(`${before}${escaped}(?![\\w-])`).test(message);
}

/** Returns the number of tools that the service accepts, if the message states that there are more, or null. */
function maxTools(count: number, message: string): number | null {
  if (!countWords.test(message)) return null;
  const numbers = [...message.matchAll(/(?<![\w.])\d{1,4}(?![\w.]*\d)/g)].map(([digits]) => Number(digits));
  const limit = Math.max(0, ...numbers.filter((number) => number < count));
  if (limit > 0) return limit;
  return /\btoo many (?:tools|functions)\b|\btools\b[^.]{0,20}\btoo long\b/i.test(message) && count > usualMax
    ? usualMax
    : null;
}

/** The limit of OpenAI's own interface. */
const usualMax = 128;
