/** Ways in which the answer of a review is incomplete or invalid. */
export type SpoiledReview = 'prose' | 'truncated' | 'unknown-rule' | 'hostile';

interface Findings {
  readonly findings: readonly object[];
}

interface Files {
  readonly files?: readonly [Findings, ...Findings[]];
}

/** Corrupts an answer in JSON. Other answers are unchanged, except for prose. */
export function spoilReview(how: SpoiledReview, answer: string): string {
  if (how === 'prose') return 'I have looked at the code and could not find anything that breaks a rule. Well done!';
  if (!answer.startsWith('{')) return answer;
  if (how === 'truncated') return answer.slice(0, Math.ceil(answer.length * 0.6));
  const more = how === 'hostile' ? hostile() : [unknown];
  const spoil = (list: Findings): Findings => ({ ...list, findings: [...list.findings, ...more] });
  const read = JSON.parse(answer) as Findings & Files;
  if (read.files === undefined) return JSON.stringify({ findings: spoil(read).findings });
  const [first, ...others] = read.files;
  return JSON.stringify({ files: [spoil(first), ...others] });
}

const unknown = { rule: 'house-style', severity: 'high', line: 1, quote: '', message: 'No rule of the catalog.' };

/** For a file that was not sent, with hidden characters, with markup, and far too many. */
function hostile(): readonly object[] {
  const base = { rule: 'pci-injection', severity: 'high', line: 1, quote: 'x' };
  return [
    { ...base, file: '../../../etc/passwd', message: 'For another file.' },
    {
      ...base,
      line: 2,
      message: 'Hidden\u0000\u001b[2J\u202etxt.exe\u{e0041} ![x](https://evil.example/p.png) <img src=x>',
    },
    ...Array.from({ length: 10_000 }, (_, index) => ({ ...base, line: index + 3, message: 'x' })),
  ];
}
