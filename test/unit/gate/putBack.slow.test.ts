import assert from 'node:assert/strict';
import { hunksOf } from '../../../src/features/edits/common/hunks.ts';
import { lostSecrets } from '../../../src/gate/secrets/marks/lostSecrets.ts';
import { putBack } from '../../../src/gate/secrets/marks/putBack.ts';
import { tagOf } from '../../../src/gate/secrets/marks/tags.ts';
import { secretsOf, type TargetSecret } from '../../../src/gate/secrets/marks/targetSecrets.ts';
import { maskText, ruleNames, scanText } from '../../../src/gate/secrets/scanner.ts';
import { type Restored, restore, type Treatment } from '../../fuzz/answers/restored.ts';
import { processorMs } from '../../tools/processorTime.ts';

/** The same files each time. */
async function files(treatment: Treatment): Promise<Restored> {
  const sum = { secrets: 0, back: 0, asked: 0, silent: [] as string[], misplaced: [] as string[] };
  for (let seed = 1; seed <= 150; seed += 1) {
    const one = await restore(seed, treatment);
    sum.secrets += one.secrets;
    sum.back += one.back;
    sum.asked += one.asked;
    sum.silent.push(...one.silent);
    sum.misplaced.push(...one.misplaced);
  }
  return sum;
}

describe('gate: restored masks', () => {
  for (const treatment of ['kept', 'reshaped'] as const) {
    it(`99 % of ${treatment} marks are replaced by their secrets, the others are asked about, none is misplaced`, async () => {
      const { secrets, back, asked, silent, misplaced } = await files(treatment);
      assert.deepEqual([silent, misplaced], [[], []]);
      assert.ok(secrets > 400, String(secrets));
      assert.ok(back >= 0.99 * secrets, `${back} of ${secrets}`);
      assert.equal(back + asked, secrets);
    });
  }

  it('missing marks are asked about if their line does not identify them', async () => {
    const { secrets, back, asked, silent, misplaced } = await files('lost');
    assert.deepEqual([silent, misplaced], [[], []]);
    assert.equal(back + asked, secrets);
    assert.ok(asked > 200 && back > 50, JSON.stringify({ back, asked }));
  });
});

describe('gate: the time for restored masks', () => {
  const names = ruleNames;
  const secret = (index: number): TargetSecret => {
    const text = `s3cr3t${String(index).padStart(6, '0')}`;
    return { rule: 'password', tag: tagOf(text), text };
  };
  const lines = (count: number, line: (index: number) => string): string[] =>
    Array.from({ length: count }, (_, index) => line(index));
  const cases: Readonly<Record<string, { file: string[]; code: string[]; secrets: TargetSecret[] }>> = {
    'one secret in a long file, and a mark in each line of the answer': {
      file: [...lines(5_000, (index) => `line ${index}`), `password = ${secret(0).text}`],
      code: lines(20_000, (index) => `a${index} = [masked]`),
      secrets: [secret(0)],
    },
    'many secrets after the same text': {
      file: lines(5_000, (index) => `password = ${secret(index).text} ${index}`),
      code: lines(20_000, (index) => `password = [masked] x${index}`),
      secrets: lines(5_000, String).map((_, index) => secret(index)),
    },
    'secrets that can be put together in many ways': {
      file: [`x ${'a'.repeat(4_000)}`],
      code: lines(200, (index) => `x ${'[masked]'.repeat(100)}${index}`),
      secrets: lines(200, String).map((_, index) => ({ rule: 'r', tag: String(index), text: 'a'.repeat(index + 8) })),
    },
    'a key in many places': {
      file: [...lines(2_000, () => ''), 'begin', 'middle', 'end', ...lines(5_000, () => '')],
      code: lines(5_000, () => `[masked: password ${tagOf('begin\nmiddle\nend')}] ${'x'.repeat(40)}`),
      secrets: [{ rule: 'password', tag: tagOf('begin\nmiddle\nend'), text: 'begin\nmiddle\nend' }],
    },
  };
  const timeOf = (work: () => unknown): number => {
    const from = processorMs();
    work();
    return processorMs() - from;
  };
  for (const [name, { file, code, secrets }] of Object.entries(cases)) {
    it(`is short: ${name}`, () => {
      const put = (): void => {
        const { text } = putBack(code.join('\n'), file, secrets, names);
        const now = text.split('\n');
        const change = { start: 0, end: file.length, proposedStart: 0, proposedEnd: now.length };
        lostSecrets(file, now, [change], secrets, names);
      };
      // What else the machine does slows down both: the peer makes as many tags as the longest answer here has lines.
      const tags = (): unknown => lines(20_000, (index) => tagOf(`line ${index}`));
      const rounds = lines(3, String).map(() => ({ ours: timeOf(put), peer: timeOf(tags) }));
      const [ours, peer] = [Math.min(...rounds.map(({ ours }) => ours)), Math.min(...rounds.map(({ peer }) => peer))];
      // Without a bound, each of these takes minutes; the longest takes ten times as long as the peer.
      assert.ok(ours < 15 * peer, `${ours} ms, ${peer} ms`);
    });
  }
});

const part = (...parts: readonly string[]): string => parts.join('');
const token = part('gh', 'p_', 'a1B2'.repeat(9));
const other = part('gh', 'p_', 'b2C3'.repeat(9));
const pem = [
  part('-----BEGIN PRIV', 'ATE KEY-----'),
  'MIIEvQIBADANBgkq'.repeat(4),
  part('-----END PRIV', 'ATE KEY-----'),
];
const secretsIn = async (text: string): Promise<readonly TargetSecret[]> =>
  secretsOf({ text, marks: await scanText(text) }, [], { scanText, maskText });
const mark = (secret: string, rule = 'github-token'): string => `[masked: ${rule} ${tagOf(secret)}]`;

/** The code as proposed for the file, and what the user is asked about. */
async function proposed(file: string, code: string): Promise<readonly [string, ...string[]]> {
  const lines = file.split('\n');
  const secrets = await secretsIn(file);
  const { text } = putBack(code, lines, secrets, ruleNames);
  const now = text.split('\n');
  return [
    text,
    ...lostSecrets(lines, now, hunksOf(lines, now), secrets, ruleNames).map(({ kind, line }) => `${kind} ${line}`),
  ];
}

describe('gate: a mark in code', () => {
  it('has one tag per secret', () => {
    assert.equal(tagOf(token), tagOf(token));
    assert.equal(tagOf('a\r\nb'), tagOf('a\nb'));
    assert.match(tagOf(token), /^[a-z2-7]{5}$/);
    assert.equal(new Set(Array.from({ length: 1_000 }, (_, index) => tagOf(String(index)))).size > 990, true);
  });

  it('becomes the secret wherever it is moved, and never a secret of another file', async () => {
    const file = `a = "${token}"\nb = 1`;
    assert.deepEqual(await proposed(file, `b = 2\na = "${mark(token)}"`), [`b = 2\na = "${token}"`]);
    const foreign = `a = "${mark(other)}"\nb = 1`;
    assert.deepEqual(await proposed(file, foreign), [foreign, 'mark 0']);
    assert.deepEqual(await proposed('b = 1', foreign), [foreign, 'mark 0']);
    const asJwt = `a = "${mark(token, 'jwt')}"\nb = 1`;
    assert.deepEqual(await proposed(file, asJwt), [asJwt, 'mark 0']);
  });

  it('a mark without a tag becomes the secret of the only equal line', async () => {
    const file = `a = "${token}"\nb = "${other}"`;
    assert.deepEqual(await proposed(file, 'a = "[masked: github-token]"\nb = "[masked]"'), [file]);
    const unlike = 'c = "[masked: github-token]"\nb = "x"';
    assert.deepEqual(await proposed(file, unlike), [unlike, 'mark 0', 'replaced-secret 1']);
    const twice = `t: ${token}\nt: ${other}`;
    const which = 't: [masked: github-token]\nt: [masked: github-token]';
    assert.deepEqual(await proposed(twice, which), [which, 'mark 0', 'mark 1']);
    const more = 'a = "[masked: github-token]"\na = "[masked: github-token]"';
    assert.equal((await proposed(file, more))[0], more);
  });

  it('the mark of a key becomes its lines, indented like the mark, with or without the blank lines that were sent', async () => {
    const file = ['k: |', ...pem.map((line) => `    ${line}`), '', 'b: 1'].join('\n');
    const [secret] = await secretsIn(file);
    assert.ok(secret !== undefined);
    const at = (indent: string, blanks: string): string =>
      `k: |\n${indent}${mark(secret.text, 'private-key')}${blanks}\n\nb: 1`;
    assert.deepEqual(await proposed(file, at('    ', '\n\n')), [file]);
    assert.deepEqual(await proposed(file, at('    ', '')), [file]);
    assert.deepEqual(await proposed(file, at('  ', '\n\n')), [
      ['k: |', ...pem.map((line) => `  ${line}`), '', 'b: 1'].join('\n'),
    ]);
    assert.deepEqual(await proposed(file, 'k: |\n    ...\n\nb: 1'), ['k: |\n    ...\n\nb: 1', 'replaced-secret 1']);
  });

  it('is text if the file contains it as text', async () => {
    const file = `use [masked: github-token abcde]\nt: ${token}\nb = 1`;
    assert.deepEqual(await proposed(file, file.replace('b = 1', 'b = 2')), [file.replace('b = 1', 'b = 2')]);
  });

  it('is not the text of a variable with that name', async () => {
    const code = 'const text = f(masked);\nconst { masked } = a;\nshow<masked>(b[masked]);\n';
    assert.deepEqual(await proposed(`t: ${token}`, `t: ${token}\n${code}`), [`t: ${token}\n${code}`]);
  });

  it('puts a secret in more places than before only after a question', async () => {
    const file = `t: ${token}\nb: 1`;
    const code = `t: ${mark(token)}\nu: https://example.com/?${mark(token)}\nb: 1`;
    const text = code.replaceAll(mark(token), token);
    assert.deepEqual(await proposed(file, code), [text, 'copied-secret 1']);
    assert.deepEqual(await proposed(file, 'b: 1'), ['b: 1']);
    assert.deepEqual(await proposed(file, 't: ****\nb: 1'), ['t: ****\nb: 1', 'replaced-secret 0']);
  });

  it('is asked about if its secret remains only in another line', async () => {
    const file = `a: ${token}\nb: ${token}\nc: 1`;
    const hidden = `a: ********\nb: ${mark(token)}\nc: 1`;
    assert.deepEqual(await proposed(file, hidden), [`a: ********\nb: ${token}\nc: 1`, 'replaced-secret 0']);
    const both = `a: ********\nb:   ${mark(token)}\nc: 1`;
    assert.deepEqual(await proposed(file, both), [`a: ********\nb:   ${token}\nc: 1`, 'replaced-secret 0']);
    assert.deepEqual(await proposed(file, `b: ${mark(token)}\nc: 1`), [`b: ${token}\nc: 1`]);
    const keys = ['a: |', ...pem.map((line) => `  ${line}`), 'b: |', ...pem.map((line) => `  ${line}`), 'c: 1'];
    const [key] = await secretsIn(keys.join('\n'));
    const one = `a: |\n  ...\nb: |\n  ${mark(key?.text ?? '', 'private-key')}\nc: 1`;
    assert.deepEqual((await proposed(keys.join('\n'), one)).slice(1), ['replaced-secret 1']);
  });

  it('is asked about if no other text stands in its line', async () => {
    for (const [head, tail] of [
      ['- ', ''],
      ['  "', '",'],
      ['', ''],
    ] as const) {
      const file = `a\n${head}${token}${tail}\nb`;
      for (const text of ['********', '<redacted>', 'YOUR_TOKEN_HERE']) {
        const code = `a\n${head}${text}${tail}\nb`;
        assert.deepEqual(await proposed(file, code), [code, 'replaced-secret 1']);
      }
      assert.deepEqual(await proposed(file, 'a\nb'), ['a\nb']);
    }
  });

  it('is found in part of a file, with its part of the secret', async () => {
    const text = ['a', ...pem, 'b'].join('\n');
    const slice = { text: `${pem[1]}\n${pem[2]}\n`, marks: [{ rule: 'private-key', start: 0, end: 200 }] };
    const whole = { text, marks: await scanText(text) };
    const secrets = await secretsOf(whole, [slice], { scanText, maskText });
    assert.equal(secrets.length, 2);
    const given = await maskText(slice.text, slice.marks);
    const { text: restored } = putBack(given, text.split('\n'), secrets, ruleNames);
    assert.equal(restored.trimEnd(), slice.text.trimEnd());
  });
});
