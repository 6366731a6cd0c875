/** The only MathML elements that a formula can become. */
const tagNames = [
  ...['math', 'mrow', 'mi', 'mn', 'mo', 'mtext', 'mspace', 'mfrac', 'msqrt', 'mroot', 'mstyle', 'mpadded', 'mphantom'],
  ...['msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover', 'mmultiscripts', 'mprescripts', 'none'],
  ...['mtable', 'mtr', 'mtd'],
] as const;

export type MathTag = (typeof tagNames)[number];

/** A formula as it is drawn, independent of the DOM. All its content has been checked. */
export type MathTree =
  | string
  | {
      readonly tag: MathTag;
      /** MathML attributes; `class` for the names that panel.css knows. */
      readonly attributes: Readonly<Record<string, string>>;
      /** CSS properties. */
      readonly style: Readonly<Record<string, string>>;
      readonly children: readonly MathTree[];
    };

const allowed: ReadonlySet<string> = new Set(tagNames);

export function isMathTag(name: unknown): name is MathTag {
  return typeof name === 'string' && allowed.has(name);
}
