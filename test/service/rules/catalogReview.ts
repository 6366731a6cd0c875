import { type CatalogRule, catalogRules } from './catalogRules.ts';
import type { CodeBlock } from './prompt.ts';
import type { Framework } from './reviewRules.ts';

/** The topic of a framework: its rules apply if the file mentions it. */
const subjects: Readonly<Record<Framework, RegExp>> = {
  hipaa: /patient|diagnos|medical|clinic|health/i,
  sox: /ledger|journal|invoice|posting|payable/i,
  'pci-dss': /\bcard|\bpan\b|payment|merchant/i,
  gdpr: /customer|subscriber|profile|newsletter|consent|personal/i,
};

/** The ids listed in instructions, each as `- pci-injection (`. */
export function listedRules(instructions: string): ReadonlySet<string> {
  return new Set([...instructions.matchAll(/^- ([a-z]+(?:-[a-z]+)+) \(/gm)].map(([, id]) => id ?? ''));
}

/**
 * The answer to a request that lists the allowed rules, in the requested format: one list, or one for each name in
 * `titles`, those of the blocks. `source` shows that it does not come from a model.
 */
export function catalogAnswer(
  listed: ReadonlySet<string>,
  blocks: readonly CodeBlock[],
  titles: readonly string[] | null,
): string {
  const source = 'rules of the local service, not a language model';
  const files = blocks
    .map((block, index) => ({ block, file: titles?.[index] ?? '' }))
    // A diff quotes the file beside it, so a problem in the diff is a problem in the file.
    .filter(({ block }) => block.language !== 'diff')
    .map(({ block, file }) => ({ file, findings: findingsIn(block, listed) }));
  const findings = files.flatMap((file) => file.findings);
  return JSON.stringify(titles === null ? { source, findings } : { source, files });
}

function findingsIn(block: CodeBlock, listed: ReadonlySet<string>): readonly object[] {
  const rules = rulesFor(listed, `${block.name ?? ''}\n${block.code}`);
  return block.code.split('\n').flatMap((text, index) =>
    rules
      .filter(({ matches }) => !isComment(text) && matches(text))
      .map(({ id, severity, message, fix }) => ({
        rule: id,
        severity,
        line: block.firstLine + index,
        quote: text.trim(),
        message,
        fix,
      })),
  );
}

function rulesFor(listed: ReadonlySet<string>, text: string): readonly CatalogRule[] {
  const rules = catalogRules.filter(({ id }) => listed.has(id));
  const about = rules.filter(({ framework }) => subjects[framework].test(text));
  // A file that mentions no framework is checked against the first one.
  return about.length > 0 ? about : rules.filter(({ framework }) => framework === rules[0]?.framework);
}

function isComment(line: string): boolean {
  return /^\s*(\/\/|#|--|\*|\/\*|<!--)/.test(line);
}
