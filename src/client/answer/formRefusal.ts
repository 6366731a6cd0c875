/** The facts of an error's body that distinguish a refusal of the request from a failure of the server. */
interface ErrorFacts {
  readonly status: number | undefined;
  readonly codes: readonly string[];
  readonly message: string;
}

const refusalCodes =
  /^(?:invalid_?request(?:_?error)?|bad_?request(?:_?error)?|validation_?(?:error|exception)|invalid_?argument|unsupported_?(?:parameter|value)|invalid_?(?:parameter|params)(?:_?error)?)$/i;
const refusalWords: readonly RegExp[] = [
  // The template of a model, in llama.cpp and in programs that are built on it.
  /\bjinja\b|\braise_exception\b|\bchat[ _]template\b|\broles must alternate\b|\broles? (?:are|is) supported\b/i,
  // Names of errors that a gateway in between has caught.
  /\b(?:BadRequestError|UnsupportedParamsError|UnprocessableEntityError|ValidationException|invalid_request_error|INVALID_ARGUMENT)\b/,
  /\b(?:unsupported|unknown|unrecogni[sz]ed) (?:request )?(?:parameter|argument|field)s?\b/i,
  /\b(?:does not|doesn't) support (?:tools?|functions?|function calling|streaming|system)\b/i,
  /\brequires? --\w/i,
];

/** The maximum number of characters to search, because a long message only repeats itself. */
const maxLength = 8192;

/**
 * Recognizes that a server answers 500 to a request that it does not accept: the same request fails again, but another form of
 * it may succeed.
 */
export function refusesForm({ status, codes, message }: ErrorFacts): boolean {
  if (status !== 500) return false;
  const text = message.slice(0, maxLength);
  return codes.some((code) => refusalCodes.test(code)) || refusalWords.some((words) => words.test(text));
}
