import { allowedClasses, attributeChecks, emOf, styleChecks } from './allowed.ts';
import { isMathTag, type MathTree } from './mathTree.ts';

/** The maximum depth and number of nodes of a formula, so that drawing it takes bounded time and space. */
const maxDepth = 100;
const maxNodes = 10_000;
/** The maximum sum of all lengths of more than 2 em, in em. */
const maxLength = 200;

/** The range of sizes that text in a formula can have, relative to the text around the formula. */
const sizes = { min: 0.4, max: 3 };

/** Characters that reorder the text around them. */
const reordering = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A node that temml creates. Its values are not trusted. */
interface TemmlNode {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly href?: unknown;
  readonly children?: unknown;
  readonly attributes?: unknown;
  readonly classes?: unknown;
  readonly style?: unknown;
}

interface Place {
  readonly depth: number;
  /** The size of the text here, relative to the text around the formula. */
  readonly size: number;
}

/** Copies the allowed parts of a tree from temml. Throws if the tree has an element that is not allowed, or is too large. */
export class Checker {
  #nodes = 0;
  #length = 0;

  /** Returns the checked tree; a fragment is replaced with its children. */
  check(node: unknown, { depth, size }: Place = { depth: 0, size: 1 }): readonly MathTree[] {
    this.#nodes += 1;
    if (depth > maxDepth || this.#nodes > maxNodes) throw new Error('The formula is too large.');
    if (typeof node !== 'object' || node === null) throw new Error('This is no part of a formula.');
    const made: TemmlNode = node;
    if (typeof made.text === 'string') return [made.text.replace(reordering, '')];
    if (made.href !== undefined) throw new Error('A formula has no links.');
    const classes = Array.isArray(made.classes) ? made.classes : [];
    if (made.type === undefined) {
      // This is the place of an equation number, which a style sheet would count. Other HTML elements are not expected.
      if (classes.includes('tml-eqn')) return [];
      if (classes.length > 0) throw new Error('A formula has no HTML.');
      return this.#children(made, { depth: depth + 1, size });
    }
    return this.#element(made, classes, { depth, size });
  }

  #element(made: TemmlNode, classes: readonly unknown[], { depth, size }: Place): readonly MathTree[] {
    const given = recordOf(made.attributes);
    // `\llap` would draw its content to the left of its place. Here, the content is drawn in its place.
    if (made.type === 'mpadded' && given.lspace?.endsWith('width')) {
      const last = Array.isArray(made.children) ? made.children.at(-1) : undefined;
      return this.check(last, { depth: depth + 1, size });
    }
    const { style, isBoxed } = this.#style(recordOf(made.style));
    const isEnclosed = made.type === 'menclose';
    const tag = isEnclosed ? 'mrow' : made.type;
    if (!isMathTag(tag)) throw new Error('A formula has no such element.');
    const own = sizeOf(given.mathsize);
    const inner = size * (own ?? 1);
    const fits = inner >= sizes.min && inner <= sizes.max;
    const attributes: Record<string, string> = own === undefined || !fits ? {} : { mathsize: `${own}em` };
    for (const [name, value] of Object.entries(given)) {
      const checked = Object.hasOwn(attributeChecks, name) ? attributeChecks[name]?.(value) : undefined;
      if (checked === undefined) continue;
      this.#add(checked);
      attributes[name] = checked;
    }
    const names = classes.filter((name): name is string => typeof name === 'string' && allowedClasses.has(name));
    if (isEnclosed) names.push('tml-enclose');
    if (isBoxed || given.notation === 'box') names.push('tml-fbox');
    if (tag === 'mspace' && given.mathbackground !== undefined) names.push('tml-rule');
    if (names.length > 0) attributes.class = names.join(' ');
    const children = this.#children(made, { depth: depth + 1, size: fits ? inner : size });
    return [{ tag, attributes, style, children }];
  }

  #style(given: Readonly<Record<string, string>>): { style: Record<string, string>; isBoxed: boolean } {
    const style: Record<string, string> = {};
    for (const [name, value] of Object.entries(given)) {
      const known = Object.hasOwn(styleChecks, name) ? styleChecks[name] : undefined;
      const checked = known?.[1](value);
      if (known === undefined || checked === undefined) continue;
      for (const one of checked.split(' ')) this.#add(one);
      style[known[0]] = checked;
    }
    return { style, isBoxed: given.border !== undefined };
  }

  #children({ children }: TemmlNode, place: Place): readonly MathTree[] {
    return Array.isArray(children) ? children.flatMap((child) => this.check(child, place)) : [];
  }

  #add(value: string): void {
    const em = emOf(value);
    if (Number.isFinite(em) && em > 2) this.#length += em;
    if (this.#length > maxLength) throw new Error('The formula is too large.');
  }
}

function sizeOf(value: string | undefined): number | undefined {
  const [, number, unit] = /^(\d{1,2}(?:\.\d{1,4})?)(em|%)$/.exec(value ?? '') ?? [];
  return number === undefined ? undefined : Number(number) / (unit === '%' ? 100 : 1);
}

function recordOf(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => typeof one === 'string' || typeof one === 'number')
      .map(([name, one]) => [name, String(one)]),
  );
}
