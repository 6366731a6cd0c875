import { isDirective } from '../text/directives.ts';
import { indentOf, isBlank, isDistinctive } from '../text/lines.ts';
import { Code } from '../text/units.ts';
import { shiftOf } from './exactFit.ts';

/** The unit of indentation of a file: a tab, or a number of spaces. */
export type Step = string;

/**
 * Returns the step by which code is indented, from the lines after those that open a block, or undefined if there are none.
 * Multi-line strings and continued lines are ignored.
 */
export function stepOf({ lines, scan, languageId }: Code): Step | undefined {
  const counts = new Map<Step, number>();
  let opening: string | null = null;
  for (const [index, line] of lines.entries()) {
    if (isBlank(line) || scan.inText[index] === true || scan.inComment[index] === true) continue;
    const indent = indentOf(line);
    if (opening !== null && indent.startsWith(opening) && indent.length > opening.length) {
      const step = indent.slice(opening.length);
      const one = step.startsWith('\t') ? '\t' : step;
      counts.set(one, (counts.get(one) ?? 0) + 1);
    }
    const opens =
      languageId === 'ruby'
        ? /^\s*(?:class|module|def|if|unless|case|while|begin)\b(?!.*\bend$)|\bdo(?: \|.*\|)?$|[{[(]$/
        : /^(?:yaml|python)$/.test(languageId)
          ? /:\s*(?:#.*)?$/
          : /[{[(>]\s*(?:\/\/.*)?$|:\s*$/;
    opening = opens.test(line) && !/=>\s*$/.test(line) ? indent : null;
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/**
 * Returns the code with the indentation of the lines that it replaces; `indent` is the indentation of its first line.
 * The code is changed only if one change explains every line, and multi-line strings stay. Returns null if no change
 * explains it.
 */
export function indentedLike(
  code: readonly string[],
  old: readonly string[],
  {
    languageId,
    step,
    indent,
  }: { readonly languageId: string; readonly step: Step | undefined; readonly indent: string },
): readonly string[] | null {
  const answerCode = new Code(code, languageId);
  const first = firstOf(code, indent);
  if (first === undefined) return code;
  const pairs = pairsOf(answerCode, old);
  const rest = pairs.filter(({ at }) => code[at] !== first);
  const hasWantedIndent = (line: string): boolean => indentOf(line) === indent;
  // All known lines are indented as in the file: only the first line lost its indentation, or no line did.
  if (rest.length > 0 && areIndentedAlike(rest, { code: answerCode, step, indent })) {
    if (hasWantedIndent(first)) return code;
    const at = code.indexOf(first);
    const isOnlyFirst = answerCode.lines.every(
      (line, index) => index <= at || isBlank(line) || answerCode.scan.inText[index] === true || indentOf(line) !== '',
    );
    if (isOnlyFirst && rest.some(({ line }) => indentOf(line).startsWith(indent)) && indentOf(first) === '') {
      return code.with(at, indent + first.trimStart());
    }
  }
  const wanted = wantedShift(answerCode, pairs, { step, indent, first });
  if (wanted === null) return hasWantedIndent(first) ? code : null;
  return shifted(answerCode, old, wanted, first);
}

/** The line that shows how code is indented: the first one, unless that is a directive left of the code. */
function firstOf(code: readonly string[], indent: string): string | undefined {
  const first = code.find((line) => !isBlank(line));
  if (first === undefined || indent === '' || !isAtLeft(first)) return first;
  const next = code.find((line) => !isBlank(line) && !isAtLeft(line)) ?? first;
  return indentOf(next) === '' ? first : next;
}

function isAtLeft(line: string): boolean {
  return indentOf(line) === '' && isDirective(line);
}

interface Pair {
  readonly at: number;
  readonly line: string;
  readonly theirs: string;
}

/**
 * Pairs of lines that occur once in the code and once in the old lines, apart from their indentation, and not in
 * strings.
 */
function pairsOf({ lines, scan }: Code, old: readonly string[]): readonly Pair[] {
  const once = (all: readonly string[]): ReadonlyMap<string, number> => {
    const found = new Map<string, number>();
    const often = new Set<string>();
    for (const [at, line] of all.entries()) {
      const text = line.trim();
      if (!isDistinctive(text) || often.has(text)) continue;
      if (found.delete(text)) often.add(text);
      else found.set(text, at);
    }
    return found;
  };
  const theirs = once(old);
  return [...once(lines)].flatMap(([text, at]) => {
    const other = theirs.get(text);
    return other === undefined || scan.inText[at] === true
      ? []
      : [{ at, line: lines[at] ?? '', theirs: old[other] ?? '' }];
  });
}

/**
 * Whether lines of the code are indented as in the file. Lines that are no deeper than the first one do not show it for code with
 * another step.
 */
function areIndentedAlike(
  pairs: readonly Pair[],
  { code, step, indent }: { readonly code: Code; readonly step: Step | undefined; readonly indent: string },
): boolean {
  const ownStep = stepOf(code);
  const showsStep =
    step === undefined ||
    ownStep === undefined ||
    ownStep === step ||
    pairs.some(({ theirs }) => indentOf(theirs).length > indent.length);
  return showsStep && pairs.every(({ line, theirs }) => indentOf(line) === indentOf(theirs));
}

type Shift = (line: string) => string | null;

/** Returns the one change of the indentation that fits, or null. */
function wantedShift(
  code: Code,
  pairs: readonly Pair[],
  { step, indent, first }: { readonly step: Step | undefined; readonly indent: string; readonly first: string },
): Shift | null {
  const ownIndent = indentOf(first);
  const all = shiftOf(
    [first, ...pairs.map(({ line }) => line)],
    [indent + first.trimStart(), ...pairs.map(({ theirs }) => theirs)],
  );
  const ownStep = stepOf(code);
  const isOtherStep = step !== undefined && ownStep !== undefined && ownStep !== step;
  // Lines that are as in the file show that its indentation is used; new code shows it by its blocks.
  const isKept = pairs.length > 1 && areIndentedAlike(pairs, { code, step, indent });
  if (isOtherStep && !isKept) {
    const scaled = scaledShift(code, { ownIndent, indent, from: ownStep, to: step });
    if (
      scaled !== null &&
      pairs.every(
        ({ line, theirs }) => scaled(line) === theirs || indentOf(scaled(line) ?? line).length >= indent.length,
      )
    )
      return scaled;
  }
  // If the answer indents like the file, deeper lines are in a new block, so nothing is scaled.
  const moves = new Set(pairs.map(({ line, theirs }) => indentOf(theirs).length - indentOf(line).length));
  moves.add(indent.length - ownIndent.length);
  if (all !== null && !(step !== undefined && ownStep === step && moves.size > 1)) return all;
  // The model indented lines more, or moved them out of a block: the shift of the first line applies to all lines.
  return shiftOf([first], [indent + first.trimStart()]);
}

/**
 * Replaces each step of the code's own indentation with a step of the file's. Returns null if a line has no whole
 * number of steps.
 */
function scaledShift(
  { lines, scan }: Code,
  {
    ownIndent,
    indent,
    from,
    to,
  }: { readonly ownIndent: string; readonly indent: string; readonly from: Step; readonly to: Step },
): Shift | null {
  const shift: Shift = (line) => {
    const space = indentOf(line);
    if (!space.startsWith(ownIndent)) return null;
    const steps = (space.length - ownIndent.length) / from.length;
    // The star of a block comment is indented by one more space.
    const star = /^\*/.test(line.trimStart()) && !Number.isInteger(steps) ? 1 : 0;
    const whole = (space.length - ownIndent.length - star) / from.length;
    if (!Number.isInteger(whole) || space.slice(ownIndent.length) !== from.repeat(whole) + ' '.repeat(star))
      return null;
    return indent + to.repeat(whole) + ' '.repeat(star) + line.trimStart();
  };
  const isFine = lines.every(
    (line, at) => isBlank(line) || scan.inText[at] === true || isAtLeft(line) || shift(line) !== null,
  );
  return isFine ? shift : null;
}

function shifted(code: Code, old: readonly string[], shift: Shift, first: string): readonly string[] | null {
  const { lines, scan } = code;
  // A first line without indentation has lost it, unless it is a directive left of the code.
  const start = lines[0] === first ? 1 : 0;
  const known = new Set(old);
  const inTexts = textShifts(code, old);
  const moved: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (scan.inText[at] === true) {
      moved.push(inTexts(at, line, shift));
      continue;
    }
    if (isBlank(line)) moved.push('');
    else if (indentOf(line) === '' && (isAtLeft(line) || known.has(line)) && shift(line) !== line && at >= start)
      moved.push(line);
    else {
      const now = shift(line);
      if (now === null && !known.has(line)) return null;
      moved.push(now ?? line);
    }
  }
  return moved;
}

/**
 * Keeps the lines in a string as the model wrote them, unless other lines of the string show that they were moved with
 * the code.
 */
function textShifts({ lines, scan }: Code, old: readonly string[]) {
  const byText = new Map<string, string | null>();
  for (const line of old)
    byText.set(line.trim(), byText.has(line.trim()) && byText.get(line.trim()) !== line ? null : line);
  const known = new Set(old);
  const begins = new Map<number, number>();
  let begin = 0;
  for (const at of lines.keys()) {
    if (scan.inText[at] === true && scan.inText[at - 1] !== true) begin = at;
    if (scan.inText[at] === true) begins.set(at, begin);
  }
  const isMoved = new Map<number, boolean>();
  for (const [at, first] of begins) {
    const line = lines[at] ?? '';
    // A string that is not in the file stays as the model wrote it.
    if (isBlank(line) || isEnd(line) || !byText.has((lines[first - 1] ?? '').trim())) continue;
    const theirs = byText.get(line.trim());
    if (known.has(line)) isMoved.set(first, false);
    else if (theirs !== undefined && theirs !== null) isMoved.set(first, isMoved.get(first) ?? true);
  }
  return (at: number, line: string, shift: Shift): string => {
    if (known.has(line)) return line;
    const begin = begins.get(at) ?? -1;
    const opening = lines[begin - 1] ?? '';
    const isWithCode = indentOf(line).startsWith(indentOf(opening)) && !isBlank(line);
    // The end of a string is indented with the code, and so is a text that documents the code.
    if (isWithCode && (isEnd(line) || /^\s*[rRuU]?(?:"""|''')/.test(opening))) return shift(line) ?? line;
    if (isMoved.get(begin) !== true) return line;
    return isBlank(line) ? line : (byText.get(line.trim()) ?? shift(line) ?? line);
  };
}

/** Whether a line contains only the end of a string. */
function isEnd(line: string): boolean {
  return /^\s*(?:"""|'''|[`"])[;,)]*\s*$/.test(line);
}
