const topics: readonly (readonly [RegExp, string])[] = [
  [/\b(hi|hello|hey|good (morning|evening))\b/i, 'a greeting'],
  [/\b(test|tests|testing)\b/i, 'tests'],
  [/\b(error|exception|fail(s|ed|ure)?|bug|crash)\b/i, 'something that fails'],
  [/\b(hipaa|sox|pci|gdpr|complian\w+|audit)\b/i, 'compliance'],
  [/\b(refactor|clean up|simplify)\b/i, 'a refactoring'],
  [/\b(slow|fast|performance|speed)\b/i, 'performance'],
];

/** A short reply with what it understood, what the request contained, and what can be asked here. */
export function chatAnswer(
  words: string,
  svcHeaders: readonly (readonly [name: string, value: string])[],
  model: string,
): string {
  const topic = topics.find(([pattern]) => pattern.test(words))?.[1];
  const about = topic === undefined ? 'no subject that the rules know' : topic;
  const headers =
    svcHeaders.length === 0
      ? 'The request came without any Svc header.'
      : `The request came with these headers:\n\n${svcHeaders.map(([name, value]) => `- \`${name}: ${value}\``).join('\n')}`;
  return [
    `You wrote: “${shorten(words)}”. I see ${about} in it, and \`${model}\` is the model that was asked.`,
    headers,
    'The rules can do three things:',
    [
      '- **explain** a fenced code block',
      '- **write** a small function by its name',
      '- **review** code for a framework',
    ].join('\n'),
    'For example:',
    '```text\nWrite a function isPrime in TypeScript\n```',
  ].join('\n\n');
}

function shorten(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
