/** The facts that an error states about a request that exceeds the model's context window. */
export interface ContextLimit {
  /** The size of the context window in tokens, if the error states it. */
  readonly tokens: number | undefined;
}

/** The facts of an error's body that distinguish this error from others. */
interface ErrorFacts {
  /** The status of the response, or of the error inside a 200 response; undefined if that error has none. */
  readonly status: number | undefined;
  readonly codes: readonly string[];
  readonly message: string;
  /** The size of the window, which llama.cpp sends in a separate field. */
  readonly size: number | null | undefined;
}

/** The codes that services use, without case and punctuation. */
const codes = new Set([
  'contextlengthexceeded',
  'contextwindowexceeded',
  'contextwindowexceedederror',
  'exceedcontextsizeerror',
  'modelmaxprompttokensexceeded',
  'tokenslimitreached',
  'prompttoolong',
  'inputtoolong',
]);

/** Services that send no code describe the error in a message, each in its own words. */
const words: readonly RegExp[] = [
  /\bmaximum (?:context|prompt|input|sequence|model) length\b/i,
  /ContextWindowExceeded/,
  /\b(?:prompt|inputs?|messages|conversation|context)(?: \w+)? (?:(?:is|are|was|were) )?too (?:long|large)\b/i,
  /\btoo many (?:input |prompt )?tokens\b/i,
  /\breduce (?:the (?:length|size) of )?(?:the|your) (?:messages|prompt|inputs?|conversation)\b/i,
  /\b(?:tokens|token (?:count|limit))\b[^.]{0,60}\bexceed/i,
  /\bexceed(?:s|ed|ing)?\b[^.]{0,60}\b(?:tokens|token (?:count|limit))\b/i,
  /\binputs?\W{1,3}tokens \+ \W?max_new_tokens\W{1,3}must be\b/i,
  /\binputs?\W{1,3}must have (?:less|fewer) than \d+ tokens\b/i,
  /\binput length (?:\d+|\(\d+ tokens\)) exceeds\b/i,
  /\brange of input length should be\b/i,
  /\b(?:max_(?:seq|model)_len|max_(?:prompt|input|total)_tokens|n_ctx)\b/i,
  /\bmax(?:imum)? (?:tokens|length)\b[^.]{0,20}\bexceeded\b/i,
  /\b(?:prompt|inputs?|messages?|conversation|query|session)\b[^.]{0,30}\bexceed(?:s|ed|ing)?\b[^.]{0,20}\bmax(?:imum)? (?:\w+ )?(?:length|size)\b/i,
  /\bexceed(?:s|ed|ing)?\b[^.]{0,20}\b(?:prompt|input|conversation|session)\b[^.]{0,10}\bmax(?:imum)? length\b/i,
  /\bmessages? size \d+ exceeds\b/i,
  /\btoo (?:large|long|big)\b[^.]{0,60}\. ?max(?:imum)? (?:size|length):? \d[\d,]* tokens\b/i,
  // Chinese and Japanese: the subject, then a word for "too much".
  /(?:上下文|输入|輸入|提示|对话|對話|tokens?|prompt)[^。]{0,40}(?:过长|過長|超长|超長|太长|超过|超過|超出|过多|太多)/i,
  /(?:入力|プロンプト|コンテキスト|会話|トークン)[^。]{0,40}(?:長すぎ|超え|超過|多すぎ)/,
];
/** A message must match both `context` and `tooMuch`. */
const context = /\bcontext[ _-]?(?:length|window|size|limit)\b/i;
const tooMuch =
  /\bexceed|\boverflow|\b(?:longer|larger|greater) than\b|\btoo (?:long|large|big|many)\b|\breduce\b|\b(?:has|have|is|are|was|were) \d[\d,]* tokens,? (?:but|while|whereas)\b/i;

/** Messages about other limits: the use within a time or for a price, and the length of an answer. */
const rateLimits =
  /\brate[ _-]?limit|\bper[ _-](?:second|minute|hour|day|month)\b|\bTP[MD]\b|\bquota\b|[每/](?:分钟|秒|小时|天|日|月)|配额|额度|余额|频率|限流|レート|クォータ|残高|毎[分日月]|[1一]分(?:間|あたり)/i;
const plans = /\b(?:daily|weekly|monthly|yearly|annual|budget|credits?|billing|subscription|balance)\b/i;
const answerLimits =
  /\b(?:output|completion) tokens\b|\bmaximum tokens (?:you requested|value)\b|^\W*max_(?:completion_|output_)?tokens\b|输出|生成|出力/i;

const number = String.raw`(?<!\d)(\d[\d,]{0,14})(?!\d)`;
const shape = (...parts: readonly string[]): RegExp => new RegExp(parts.join(''), 'gi');

/** Numbers that are not the size of a window, each with its meaning. They are removed before that size is searched for. */
const otherNumbers: readonly { readonly means: 'excess' | 'sent' | 'bytes' | 'code'; readonly in: RegExp }[] = [
  { means: 'excess', in: shape(String.raw`\bby (?:about )?`, number) },
  {
    means: 'excess',
    in: shape(number, String.raw`(?: tokens?)? (?:over|too (?:many|long|large)|more than|beyond|above)\b`),
  },
  { means: 'excess', in: shape('超出了?[ ]?', number, '(?! ?(?:个|個)?(?: ?tokens?)? ?的?(?:限制|上限|最大))') },
  { means: 'excess', in: shape(number, ' ?(?:トークン)?(?:超過|オーバー)') },
  {
    means: 'sent',
    in: shape(
      String.raw`\b(?:requested:?|resulted in|given:?|received|contains?|has|have|total of|current length is)`,
      '(?: about| at least| over)? ',
      number,
    ),
  },
  { means: 'sent', in: shape('(?:当前|目前|现在|现有|実際|現在)[^0-9。]{0,8}', number) },
  // Moonshot counts bytes here.
  { means: 'bytes', in: shape(String.raw`\bmessages? size \d+ exceeds (?:the )?limit(?: of)? `, number) },
  // MiniMax sends a code here.
  { means: 'code', in: shape(String.raw`\blimit \(`, number, String.raw`\)$`) },
];

/** Patterns for the size of the window. The first plausible match is used, so the clearest patterns come first. */
const windows: readonly RegExp[] = [
  // `13055 >= n_ctx: 4096`
  shape(String.raw`>=? ?(?:\w+[ :(]{1,2})?`, number),
  // `32768 maximum context length`
  shape(number, String.raw`(?:[ -]tokens?)? (?:maximum\b|context (?:length|window|size|limit)\b)`),
  // `9000/8192 tokens`
  shape(String.raw`\d ?/ ?`, number, String.raw` tokens?\b`),
  // `longer than the maximum model length of 16384`
  shape(String.raw`\b(?:greater|longer|larger|less|fewer) than(?: or equal to)?\b(?:(?!exceed)[^\d.]){0,40}`, number),
  // `exceeds the maximum allowed length (59862 tokens)`
  shape(String.raw`\bexceed(?:s|ed|ing)?\b(?:(?!exceed)[^\d.:]){0,60}?(?::\s?)?`, number),
  // `the model only supports up to 8192`
  shape(String.raw`\bsupports? (?:only )?(?:up to|at most|a maximum of) `, number),
  // `the maximum context length of Model-V3-0324 is 8192`
  shape(String.raw`\bcontext (?:length|window|size) (?:of|for) \S{1,80} is `, number),
  // `a maximum context length of 8192`
  shape(
    String.raw`\b(?:`,
    [
      'context (?:length|window|size)',
      'max(?:imum)? (?:(?:prompt|input|allowed|model|sequence) )?length',
      'maximum (?:prompt|input|allowed|model|sequence|context) length',
      'maximum number of (?:input )?tokens',
      'max(?:imum)? (?:size|tokens)',
      'max_(?:seq|model)_len',
      'max_(?:prompt|input)_tokens',
      'n_ctx',
      'at most',
      'must be <=',
      '(?:cannot|must not) exceed',
      String.raw`input length should be \[\d+,`,
      String.raw`limit(?= ?[:=]| of\b| is\b)`,
    ].join('|'),
    String.raw`)(?:(?!exceed)[^\d.]){0,32}`,
    number,
  ),
  // `超过了最大限制4096`
  shape('超(?:过|過|出)了?(?:(?!超)[^0-9。]){0,16}', number),
  shape('(?:最大|上限|限制|制限|最多)(?:(?!超)[^0-9。]){0,16}', number),
  shape('(?:上下文|コンテキスト)(?:(?!超)[^0-9。]){0,16}', number),
  shape(number, ' ?(?:个|個)?(?: ?tokens?| ?トークン)? ?(?:的|の)(?:限制|上限|最大|制限)'),
];

/** The maximum number of characters to search, because a long message only repeats itself. */
const maxLength = 8192;
const minWindow = 512;
/** 424 is the status of a gateway in front of a model; some servers answer 500. */
const statuses = new Set([400, 413, 422, 424, 500]);
const maxWindow = 16_777_216;

/**
 * Recognizes the error for a request that exceeds the model's context window. Returns null for every other error. Services have
 * no common form for it. A code is enough; a message is considered only with the statuses of a refused request.
 */
export function contextLimitOf({ status, codes: given, message, size }: ErrorFacts): ContextLimit | null {
  if (status === 429) return null;
  const text = message.slice(0, maxLength);
  const isCode = given.some((code) => codes.has(code.toLowerCase().replaceAll(/[^a-z]/g, '')));
  const mayBeWords = status === undefined || statuses.has(status);
  if (!isCode && !(mayBeWords && saysTooLong(text))) return null;
  return { tokens: [size ?? 0].find(isPlausible) ?? tokensIn(text) };
}

function saysTooLong(text: string): boolean {
  if (rateLimits.test(text)) return false;
  if (context.test(text)) return tooMuch.test(text) || words.some((each) => each.test(text));
  return !plans.test(text) && !answerLimits.test(text) && words.some((each) => each.test(text));
}

function tokensIn(text: string): number | undefined {
  let rest = text;
  for (const { in: other } of otherNumbers) rest = rest.replaceAll(other, (found) => found.replaceAll(/\d/g, '#'));
  const named = windows.flatMap((window) => [...rest.matchAll(window)].map(([, digits = '']) => digits));
  return named.map((digits) => Number(digits.replaceAll(',', ''))).find(isPlausible);
}

function isPlausible(tokens: number): boolean {
  return Number.isInteger(tokens) && tokens >= minWindow && tokens <= maxWindow;
}
