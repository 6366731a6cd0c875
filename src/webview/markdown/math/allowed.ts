/** The maximum of a length, in em. */
const maxEm = 20;

/** The size of each unit of length, in em of the page's text. */
const units: Readonly<Record<string, number>> = {
  em: 1,
  ex: 0.5,
  px: 1 / 13,
  pt: 1 / 10,
  mm: 0.3,
  cm: 3,
  in: 7.4,
  pc: 1.2,
};

/** Returns the checked value, or undefined if the value is left out. */
type Check = (value: string) => string | undefined;

/**
 * Converts a length to em. Returns infinity if the text is no length, is negative, or has an unknown unit, in which only 0 is
 * accepted.
 */
export function emOf(value: string): number {
  const [, number, unit = ''] = /^\+?(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})([a-z]{0,3})$/.exec(value.trim()) ?? [];
  if (number === undefined) return Number.POSITIVE_INFINITY;
  const each = units[unit];
  if (each === undefined) return Number(number) === 0 ? 0 : Number.POSITIVE_INFINITY;
  return Number(number) * each;
}

const length: Check = (value) => {
  const em = emOf(value);
  if (!Number.isFinite(em)) return undefined;
  return em > maxEm ? `${maxEm}em` : value.trim();
};

/** Accepts up to four lengths. */
const lengths: Check = (value) => {
  const checked = value.trim().split(/\s+/).map(length);
  return checked.length <= 4 && !checked.includes(undefined) ? checked.join(' ') : undefined;
};

const oneOf = (...values: readonly string[]): Check => {
  const known = new Set(values);
  return (value) => (known.has(value) ? value : undefined);
};

const flag = oneOf('true', 'false');

/**
 * The attributes of MathML that are kept, each with the check of its values. Colors are not kept: they could hide text in one of
 * the themes.
 */
export const attributeChecks: Readonly<Record<string, Check>> = {
  displaystyle: flag,
  scriptlevel: oneOf('0', '1', '2', '3'),
  mathvariant: oneOf('normal'),
  stretchy: flag,
  symmetric: flag,
  fence: flag,
  separator: flag,
  largeop: flag,
  movablelimits: flag,
  accent: flag,
  accentunder: flag,
  form: oneOf('prefix', 'infix', 'postfix'),
  width: length,
  height: length,
  depth: length,
  lspace: length,
  rspace: length,
  voffset: length,
  minsize: length,
  maxsize: length,
  linethickness: length,
};

const border: Check = (value) => (/^0\.(?:06|15)em (?:solid|dashed|double)$/.test(value) ? value : undefined);

/** The styles that are kept, by the names that temml uses. They cannot move anything out of its place. */
export const styleChecks: Readonly<Record<string, readonly [property: string, check: Check]>> = {
  marginLeft: ['margin-left', length],
  padding: ['padding', lengths],
  paddingLeft: ['padding-left', length],
  paddingRight: ['padding-right', length],
  paddingTop: ['padding-top', length],
  paddingBottom: ['padding-bottom', length],
  borderTop: ['border-top', border],
  borderBottom: ['border-bottom', border],
  borderLeft: ['border-left', border],
  borderRight: ['border-right', border],
  width: ['width', oneOf('50%', '100%')],
  textAlign: ['text-align', oneOf('left')],
  fontWeight: ['font-weight', oneOf('bold')],
};

/** The classes of temml that panel.css has rules for. */
export const allowedClasses: ReadonlySet<string> = new Set([
  ...['tml-left', 'tml-right', 'tml-jot', 'tml-small', 'tml-overline', 'tml-underline'],
  ...['tml-cancel', 'upstrike', 'downstrike', 'sout', 'tml-xcancel', 'tml-fbox', 'tml-enclose', 'tml-rule'],
  ...['tml-sml-pad', 'tml-med-pad', 'tml-lrg-pad'],
]);
