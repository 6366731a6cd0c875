/** The reason why a service refuses a request until its content or the account changes: sending it again does not help. */
export type LastingRefusal = 'quota' | 'content-filter';

/** The facts of an error's body that distinguish a permanent refusal from other errors. */
interface ErrorFacts {
  readonly status: number | undefined;
  readonly codes: readonly string[];
  readonly message: string;
}

/** Statuses with which services refuse permanently; the other statuses have a meaning of their own. */
const statuses: ReadonlySet<number | undefined> = new Set([400, 402, 403, 422]);

const quotaCodes =
  /insufficient_?(?:quota|credit|balance|funds)|quota_?exceeded|budget_?exceeded|billing|payment_?required|credit_?exhausted/i;
const filterCodes =
  /content_?(?:filter|policy|moderation)|responsible_?ai|data_?inspection|guardrail|moderation_?block/i;

const quotaWords: readonly RegExp[] = [
  /\b(?:quota|budget|credits?|balance|spend(?:ing)?(?: limit| cap)?|usage limit|(?:monthly|daily|weekly|hourly)(?: \w+)? (?:limit|allowance))\b[^.]{0,80}\b(?:exceed|exhaust|used up|reached|insufficient|depleted|too low|run out|over)/i,
  /\b(?:exceed(?:s|ed|ing)?|exhausted|insufficient|depleted|reached|(?:ran|run) out of|not enough|out of)\b[^.]{0,60}\b(?:quota|budget|credits?|balance|spend(?:ing)?|(?:monthly|daily|weekly|hourly) (?:\w+ )?limit)\b/i,
  /\bbilling (?:hard limit|details|issue|is not|not active)|\bpayment required\b/i,
  /(?:余额|額度|额度|配额)[^。]{0,6}(?:不足|用完|耗尽|已用尽)|欠费/,
];
/** Phrases about money only: a phrase about a quota can mean a limit per minute. */
const moneyWords: readonly RegExp[] = [
  /\b(?:insufficient|exhausted|depleted|not enough|out of|used all(?: \w+)?) (?:\w+ )?(?:credits?|balance|funds)\b/i,
  /\b(?:credits?|balance|funds)\b[^.]{0,40}\b(?:exhausted|depleted|insufficient|too low|negative|used up|run out)\b/i,
  /\bbilling hard limit\b|\bpayment required\b|余额不足|欠费/i,
];
const filterWords: readonly RegExp[] = [
  /\b(?:content|safety|moderation|prompt)[ _-](?:management |safety )?(?:filter|filtering|polic(?:y|ies)|guardrails?)\b/i,
  /\b(?:flagged|blocked|rejected|refused|filtered)\b[^.]{0,60}\b(?:safety|moderation|guardrails?|content|polic(?:y|ies)|inappropriate|unsafe)\b/i,
  /\b(?:safety|moderation|guardrails?)\b[^.]{0,60}\b(?:flagged|blocked|rejected|refused|filtered|violat|intervened)/i,
  /\bguardrails? (?:intervened|triggered)|\binappropriate content\b|\bviolat(?:es|ed|ing|ion of)\b[^.]{0,40}\b(?:usage|content|safety) polic/i,
];
/** "The parameter content_filter is not supported" refuses a form, not the content. */
const formWords = /\b(?:unsupported|unknown|unrecogni[sz]ed|not supported|not permitted|invalid (?:type|schema))\b/i;

/** A network refuses an address, not what was asked. */
const networkWords =
  /\b(?:this|the) (?:web ?)?(?:site|page|url)\b|\burl (?:category|filter)|\b(?:firewall|web filter|ip address)\b|\b(?:your|the) (?:organi[sz]ation|company|corporate|network|administrator)\b|\bcorporate polic/i;

/** The maximum number of characters to search, because a long message only repeats itself. */
const maxLength = 8192;

/** Recognizes a permanent refusal. Returns null for every other error. */
export function lastingRefusalOf({ status, codes, message }: ErrorFacts): LastingRefusal | null {
  if (status === 402) return 'quota';
  if (!statuses.has(status)) return null;
  if (codes.some((code) => quotaCodes.test(code))) return 'quota';
  if (codes.some((code) => filterCodes.test(code))) return 'content-filter';
  const text = message.slice(0, maxLength);
  if (formWords.test(text)) return null;
  if (quotaWords.some((words) => words.test(text))) return 'quota';
  const isNetwork = status === 403 && networkWords.test(text);
  return !isNetwork && filterWords.some((words) => words.test(text)) ? 'content-filter' : null;
}

/** Whether the account has no credit left: waiting does not help, whatever the status. */
export function saysNoCredit(message: string): boolean {
  const text = message.slice(0, maxLength);
  return moneyWords.some((words) => words.test(text));
}
