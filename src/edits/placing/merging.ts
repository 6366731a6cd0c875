import type { Span } from '../../util/text/span.ts';
import type { Inside } from '../text/names.ts';
import type { Code, Unit } from '../text/units.ts';
import { isOmitted } from './elision.ts';
import type { Step } from './indent.ts';

/** The answer and the file that are merged, and how. */
export interface Merging {
  readonly code: Code;
  readonly file: Code;
  readonly step: Step | undefined;
  /** Whether declarations that are not found among the others are searched for at any depth. */
  readonly isDeep: boolean;
  /** Whether the answer marks the lines that it omits. An answer without marks shows consecutive lines of the file. */
  readonly marksOmissions: boolean;
  /** Whether the code includes the beginning and the end of the block that the units are in. */
  readonly isInner: boolean;
}

/** The units of the answer and of the file in one block of code. */
export interface Lists {
  readonly units: readonly Unit[];
  readonly places: readonly (Unit | undefined)[];
  readonly fileUnits: readonly Unit[];
  readonly fileSpan: Span;
  /** The index of each of the file's units. */
  readonly order: ReadonlyMap<Unit, number>;
  /** The units of the file that the answer contains. */
  readonly known: ReadonlySet<Unit | undefined>;
  readonly inside: Inside;
}

/** Whether a unit of the answer only marks omitted lines. */
export function isMark({ lines }: Code, { head, end }: Unit): boolean {
  return end - head === 1 && isOmitted(lines[head] ?? '');
}

export function isSettings({ languageId }: Code): boolean {
  return /^(?:jsonc?|yaml|dockercompose)$/.test(languageId);
}
