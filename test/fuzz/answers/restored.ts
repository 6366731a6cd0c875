import { hunksOf } from '../../../src/features/edits/common/hunks.ts';
import { lostSecrets } from '../../../src/gate/secrets/marks/lostSecrets.ts';
import { putBack } from '../../../src/gate/secrets/marks/putBack.ts';
import { secretsOf } from '../../../src/gate/secrets/marks/targetSecrets.ts';
import { maskText, ruleNames, scanText } from '../../../src/gate/secrets/scanner.ts';
import { Dice } from '../../tools/dice.ts';
import { examples } from '../secretExamples.ts';

/** The results for the secrets of files that a model edited. */
export interface Restored {
  readonly secrets: number;
  /** The line is restored. */
  readonly back: number;
  /** The line is not restored, and the user is asked. */
  readonly asked: number;
  /** The line is not restored, without a question; with the loss for inspection. */
  readonly silent: readonly string[];
  /** The line has a secret of another line. */
  readonly misplaced: readonly string[];
}

/** The model's treatment of a mark. */
export type Treatment = 'kept' | 'reshaped' | 'lost';

const filler = [
  'timeout: 30',
  'const total = sum(items);',
  '# what follows is set by hand',
  '',
  '  retries: 3',
  'return rows;',
];
/** The text around a secret in its line. */
const frames: readonly ((name: string) => readonly [string, string])[] = [
  (name) => [`${name}: `, ''],
  (name) => [`const ${name} = "`, '";'],
  (name) => [`  "${name}": "`, '",'],
  (name) => [`export ${name.toUpperCase()}=`, ''],
  (name) => [`\t${name} = '`, "' # set by hand"],
  () => ['- ', ''],
  () => ['  "', '",'],
];

const reshapes: readonly ((rule: string, tag: string, dice: Dice) => string)[] = [
  (rule, tag) => `[MASKED: ${rule.toUpperCase()} ${tag.toUpperCase()}]`,
  (rule, tag) => `[Masked: ${rule} ${tag}]`,
  (rule, tag) => `[masked:${rule} ${tag}]`,
  (rule, tag) => `[ masked:  ${rule}  ${tag} ]`,
  (rule, tag) => `[masked: "${rule}" ${tag}]`,
  (rule, tag) => `[masked: '${rule} ${tag}']`,
  (rule, tag) => `[masked: \`${rule}\` \`${tag}\`]`,
  (rule, tag) => `[masked: ${rule.replaceAll('-', '_')} ${tag}]`,
  (rule, tag) => `[masked: ${rule}, ${tag}]`,
  (rule, tag) => `[masked: ${rule}-${tag}]`,
  (rule, tag) => `\\[masked: ${rule} ${tag}\\]`,
  (rule, tag) => `<masked: ${rule} ${tag}>`,
  (rule, tag) => `{masked: ${rule} ${tag}}`,
  (rule, tag) => `[masked ${rule} ${tag}]`,
];

const losses: readonly ((rule: string, tag: string, dice: Dice) => string)[] = [
  (rule) => `[masked: ${rule}]`,
  (rule, tag) => `[masked: ${rule} ${tag.slice(0, 4)}]`,
  (rule, tag) => `[masked: ${rule} ${tag}7]`,
  (rule, _, dice) => `[masked: ${rule} ${dice.text(5, 'abcdefghijklmnopqrstuvwxyz234567')}]`,
  (_, tag) => `[masked: us-passport-number ${tag.slice(1)}2]`,
  () => '[masked]',
  () => '[MASKED]',
  () => '[masked: secret]',
  (rule, tag) => `[masked: ${rule} ${tag}`,
  (rule, tag) => `masked: ${rule} ${tag}`,
  () => '<redacted>',
  () => '********',
  () => 'YOUR_TOKEN_HERE',
  () => '…',
  () => '',
];

/** A file with secrets of all kinds, some of them twice, and the first line of each. */
export function fileOf(dice: Dice): { readonly lines: readonly string[]; readonly places: readonly number[] } {
  const lines: string[] = ['# settings'];
  const places: number[] = [];
  const secrets: string[] = [];
  const count = 2 + dice.below(5);
  for (let index = 0; index < count; index += 1) {
    for (let more = dice.below(4); more > 0; more -= 1) lines.push(dice.pick(filler));
    const isAgain = secrets.length > 0 && dice.below(5) === 0;
    const secret = isAgain ? dice.pick(secrets) : dice.pick(examples)[1](dice).replaceAll('\r\n', '\n').trimEnd();
    secrets.push(secret);
    const [before, after] = dice.pick(frames)(`value_${index}_${dice.text(4, 'abcdefgh')}`);
    places.push(lines.length);
    if (!secret.includes('\n')) lines.push(before + secret + after);
    else if (dice.below(2) === 0) lines.push(...secret.split('\n'));
    else {
      const indent = '    ';
      lines.push(`  block_${index}: |`);
      places[places.length - 1] = lines.length;
      lines.push(...secret.split('\n').map((line) => indent + line));
    }
    if (secret.includes('\n')) lines.push(...Array.from({ length: dice.below(3) }, () => ''), `after_${index}: 1`);
  }
  lines.push('last: 1');
  return { lines, places };
}

/** Masks a file, simulates a model that changes a line and treats the marks this way, and restores the secrets. */
export async function restore(seed: number, treatment: Treatment): Promise<Restored> {
  const dice = new Dice(seed);
  const { lines: original } = fileOf(dice);
  const text = original.join('\n');
  const { masked, count } = await maskedOf(text);
  if (count === 0) return { secrets: 0, back: 0, asked: 0, silent: [], misplaced: [] };
  const secrets = await secretsOf({ text, marks: await scanText(text) }, [], { scanText, maskText });
  const answer = masked.split('\n');
  const place = answer.lastIndexOf('last: 1');
  answer[place] = 'last: 2';
  const expected = original.with(place, 'last: 2');
  const treated = answer
    .join('\n')
    .replace(/\[masked: ([a-z\d-]+) ([a-z2-7]{5})\]/g, (mark, rule: string, tag: string) => {
      if (treatment === 'kept') return mark;
      return dice.pick(treatment === 'reshaped' ? reshapes : losses)(rule, tag, dice);
    });
  const { text: result } = putBack(treated, original, secrets, ruleNames);
  const proposed = result.split('\n');
  const hunks = hunksOf(original, proposed);
  const told = lostSecrets(original, proposed, hunks, secrets, ruleNames);
  const isTold = (line: number): boolean =>
    hunks.some(
      ({ start, end, proposedStart, proposedEnd }) =>
        start <= line && line < end && told.some((one) => proposedStart <= one.line && one.line < proposedEnd),
    );
  const hasMark = masked.split('\n').map((line) => /\[masked: /.test(line));
  const sum = { secrets: 0, back: 0, asked: 0, silent: [] as string[], misplaced: [] as string[] };
  for (const [line, isMarked] of hasMark.entries()) {
    if (!isMarked) continue;
    sum.secrets += 1;
    const now = proposed[line] ?? '';
    const said = JSON.stringify({ seed, treatment, was: expected[line], treated: treated.split('\n')[line], now });
    const own = secrets.filter(
      (secret) => text.includes(secret.text) && (expected[line] ?? '').includes(secret.text.split('\n')[0] ?? ''),
    );
    if (now === expected[line]) sum.back += 1;
    else if (secrets.some((secret) => !own.includes(secret) && now.includes(secret.text.split('\n')[0] ?? '')))
      sum.misplaced.push(said);
    else if (isTold(line)) sum.asked += 1;
    else sum.silent.push(said);
  }
  if (treatment !== 'lost' && sum.back === sum.secrets && result !== expected.join('\n')) {
    sum.silent.push(JSON.stringify({ seed, treatment, result, expected: expected.join('\n') }));
  }
  return sum;
}

/** The text as it is sent. */
export async function maskedOf(text: string): Promise<{ readonly masked: string; readonly count: number }> {
  let masked = text;
  let count = 0;
  for (let spans = await scanText(masked); spans.length > 0; spans = await scanText(masked)) {
    masked = await maskText(masked, spans);
    count += spans.length;
  }
  return { masked, count };
}
