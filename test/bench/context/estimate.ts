import { bytesPerToken, Calibration, tokensIn } from '../../../src/send/budget/tokens.ts';
import { texts } from './texts.ts';
import { type Tokenizer, tokenizers } from './tokenizers.ts';

/** How far an estimate may be from the tokens before a service has counted any, in whole percent as the table has it. */
const limits = { least: -0.1, most: 0.32, lock: -0.27 } as const;
/** The same after three answers with numbers of tokens, for a mix of all kinds of text. */
const calibratedLimit = 0.1;

/** A mix of code, prose and diffs, in bytes of each kind. */
const mix = new Map([
  ['TypeScript', 24_000],
  ['TSX', 8000],
  ['CSS', 3000],
  ['JSON', 3000],
  ['English', 12_000],
  ['German', 6000],
  ['diff', 8000],
]);

interface Row {
  readonly kind: string;
  /** By the name of a tokenizer: how far the estimate is from its tokens, as a share of them. */
  readonly errors: Readonly<Record<string, number>>;
}

/** Prints how far the estimate of tokens is from what five public tokenizers count. */
export async function estimateBench(): Promise<{ readonly rows: readonly Row[]; readonly isMet: boolean }> {
  const judges = await tokenizers();
  const samples = texts();
  const row = (kind: string, error: (judge: Tokenizer) => number): Row => ({
    kind,
    errors: Object.fromEntries(judges.map((judge) => [judge.name, error(judge)])),
  });
  const before = [...samples].map(([kind, text]) => row(kind, (judge) => errorOf(judge, text, bytesPerToken)));
  const calibrated = row('mix, after three answers', (judge) => calibratedError(judge, samples));
  const rows = [...before, row('mix', (judge) => errorOf(judge, mixOf(samples, 0), bytesPerToken)), calibrated];
  console.log('How far the estimate is from the tokens of public tokenizers:');
  console.table(
    rows.map(({ kind, errors }) => ({
      text: kind,
      ...Object.fromEntries(Object.entries(errors).map(([name, error]) => [name, percent(error)])),
    })),
  );
  const old = judges.filter(({ isOld }) => isOld).map(({ name }) => name);
  const isMet = rows.every((one) => isWithin(one, old));
  const words = `from ${percent(limits.least)} to ${percent(limits.most)}, a lock file at least ${percent(limits.lock)}`;
  console.log(`${words}, within ${percent(calibratedLimit)} after three answers: ${isMet ? 'met' : 'MISSED'}`);
  return { rows, isMet };
}

function isWithin({ kind, errors }: Row, old: readonly string[]): boolean {
  const isCalibrated = kind === 'mix, after three answers';
  const most = isCalibrated ? calibratedLimit : limits.most;
  const least = isCalibrated ? -calibratedLimit : kind === 'lock' ? limits.lock : limits.least;
  const rounded = (error: number): number => Math.round(error * 100) / 100;
  return Object.entries(errors).every(
    ([name, error]) => old.includes(name) || (rounded(error) >= least && rounded(error) <= most),
  );
}

function errorOf({ count }: Tokenizer, text: string, perToken: number): number {
  const tokens = count(text);
  return (tokensIn(Buffer.byteLength(text), 1, perToken) - tokens) / tokens;
}

/** The error for the fourth request, of other parts of the same kinds of text. */
function calibratedError(judge: Tokenizer, samples: ReadonlyMap<string, string>): number {
  const calibration = new Calibration();
  for (const nth of [0, 1, 2]) {
    const text = mixOf(samples, nth);
    calibration.learn('one', Buffer.byteLength(text), judge.count(text));
  }
  return errorOf(judge, mixOf(samples, 3), calibration.perToken('one'));
}

/** The nth part of each kind of text. */
function mixOf(samples: ReadonlyMap<string, string>, nth: number): string {
  const part = ([kind, bytes]: readonly [string, number]): string => {
    const text = samples.get(kind) ?? '';
    const from = (nth * bytes) % Math.max(1, text.length - bytes);
    return text.slice(from, from + bytes);
  };
  return [...mix].map(part).join('\n');
}

function percent(share: number): string {
  return `${share > 0 ? '+' : ''}${Math.round(share * 100)}%`;
}
