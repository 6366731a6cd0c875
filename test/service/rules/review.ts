import { type CodeBlock, codeBlocks } from './prompt.ts';
import { type Framework, frameworks, reviewRules } from './reviewRules.ts';

export interface ReviewFinding {
  readonly framework: Framework;
  readonly rule: string;
  readonly severity: 'high' | 'medium' | 'low';
  readonly message: string;
  /** The trimmed line. */
  readonly quote: string;
  readonly line: number;
}

export interface ConfirmationRequest {
  /** Everything except code. */
  readonly instructions: string;
  readonly blocks: readonly CodeBlock[];
  /** Reviewed as a whole if it contains no block. */
  readonly prompt: string;
  readonly svcHeaders: readonly (readonly [name: string, value: string])[];
}

/** The same findings twice: as text, and as {"findings":[...]}. */
export function reviewAnswer(request: ConfirmationRequest): { readonly markdown: string; readonly json: string } {
  const asked = namedFrameworks(request);
  const blocks = request.blocks.length > 0 ? request.blocks : codeBlocks(`\`\`\`\n${request.prompt}\n\`\`\``);
  const findings = blocks.flatMap((block) => findingsIn(block, asked));
  const names = (asked.length > 0 ? asked : frameworks).join(', ');
  const items = findings.map(
    ({ framework, rule, severity, message, quote, line }) =>
      `- **${severity}** line ${line}, ${rule} (${framework}): ${message} \`${quote.replaceAll('`', "'")}\``,
  );
  const markdown =
    items.length === 0
      ? `The rules for ${names} find nothing here, which is no proof that nothing is wrong.`
      : `The rules for ${names} find ${items.length} ${items.length === 1 ? 'thing' : 'things'}:\n\n${items.join('\n')}`;
  return { markdown, json: JSON.stringify({ findings }) };
}

/** Those in the instructions, else those in the request's header, else none, which means all. */
function namedFrameworks({ instructions, svcHeaders }: ConfirmationRequest): readonly Framework[] {
  const header = svcHeaders.find(([name]) => name === 'Svc-Compliance-Frameworks')?.[1] ?? '';
  const named = (text: string): readonly Framework[] =>
    frameworks.filter((name) => new RegExp(name === 'pci-dss' ? '\\bpci\\b' : `\\b${name}\\b`, 'i').test(text));
  const inWords = named(instructions);
  return inWords.length > 0 ? inWords : named(header);
}

function findingsIn({ code, firstLine }: CodeBlock, asked: readonly Framework[]): readonly ReviewFinding[] {
  const nearest = (of: readonly Framework[]): Framework | undefined =>
    asked.length === 0 ? of[0] : of.find((each) => asked.includes(each));
  const lines = code.split('\n');
  const found = lines.flatMap((text, index) =>
    reviewRules.flatMap(({ id, frameworks: of, severity, message, matches }): ReviewFinding[] => {
      const framework = nearest(of);
      if (framework === undefined || !matches(text)) return [];
      return [{ framework, rule: id, severity, message, quote: text.trim(), line: firstLine + index }];
    }),
  );
  const framework = nearest(['sox', 'hipaa', 'pci-dss']);
  const changing = lines.findIndex((text) =>
    /\b(delete|update|insert|save|transfer|charge|pay|approve)\w*\s*\(/i.test(text),
  );
  if (framework !== undefined && changing !== -1 && !/audit/i.test(code)) {
    const message = 'Data changes here and no audit record is written.';
    const quote = lines[changing]?.trim() ?? '';
    found.push({ framework, rule: 'missing-audit', severity: 'medium', message, quote, line: firstLine + changing });
  }
  return found;
}
