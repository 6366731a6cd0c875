import { type CatalogueRule, catalogueRules } from './catalogueRules.ts';
import type { CodeBlock } from './prompt.ts';
import type { Framework } from './reviewRules.ts';

/** What a framework is about: its rules are looked at where the file speaks of it. */
const subjects: Readonly<Record<Framework, RegExp>> = {
  hipaa: /patient|diagnos|medical|clinic|health/i,
  sox: /ledger|journal|invoice|posting|payable/i,
  'pci-dss': /\bcard|\bpan\b|payment|merchant/i,
  gdpr: /customer|subscriber|profile|newsletter|consent|personal/i,
};

/** The ids that instructions list, each as `- pci-injection (`. */
export function listedRules(instructions: string): ReadonlySet<string> {
  return new Set([...instructions.matchAll(/^- ([a-z]+(?:-[a-z]+)+) \(/gm)].map(([, id]) => id ?? ''));
}

/**
 * The answer to a request that lists the rules to choose from, in the shape that it asks for. `source` is what keeps
 * anybody from taking it for a model's.
 */
export function catalogueAnswer(listed: ReadonlySet<string>, blocks: readonly CodeBlock[]): string {
  // A diff quotes the file beside it: what is wrong in it is wrong in the file.
  const reviewed = blocks.filter(({ language }) => language !== 'diff');
  const findings = reviewed.flatMap((block) => {
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
  });
  return JSON.stringify({ source: 'rules of the local service, not a language model', findings });
}

function rulesFor(listed: ReadonlySet<string>, text: string): readonly CatalogueRule[] {
  const rules = catalogueRules.filter(({ id }) => listed.has(id));
  const about = rules.filter(({ framework }) => subjects[framework].test(text));
  // A file about nothing of it all is looked at for the first framework there is.
  return about.length > 0 ? about : rules.filter(({ framework }) => framework === rules[0]?.framework);
}

function isComment(line: string): boolean {
  return /^\s*(\/\/|#|--|\*|\/\*|<!--)/.test(line);
}
