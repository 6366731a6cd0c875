import * as vscode from 'vscode';
import { abortedError, ServiceError } from '../../../util/errors.ts';
import { showWarning } from '../../messages/show.ts';
import { linesOf } from '../hunks.ts';
import type { Target } from '../target.ts';
import type { Fit } from './fit.ts';
import { fitsOf, type Place, type PlaceCode } from './places.ts';

const t = vscode.l10n.t;

/**
 * What each place of a target becomes with its code. Where the code replaces only a part of the place, the other lines
 * stay; where lines might be deleted that the answer only omits, the user is asked. `isAsked` states that the whole was
 * requested. Throws a ServiceError where a part cannot be located, `aborted` where the user chooses neither.
 */
export async function placedCodes(
  target: Target,
  codes: readonly string[],
  { isAsked }: { readonly isAsked: boolean },
): Promise<readonly PlaceCode[]> {
  if (target.kind !== 'document') return codes;
  const lines = linesOf(target.text);
  const fits = fitsOf(lines, target.places, codes, isAsked);
  const placed: PlaceCode[] = [];
  for (const [index, fit] of fits.entries()) {
    const [code, place] = [codes[index] ?? '', target.places[index]];
    if (fit.is === 'nowhere') {
      throw new ServiceError('protocol', 'The code belongs nowhere.', { code: 'misplaced-code' });
    }
    if (!fit.isSure && place !== undefined) await askIfAll(fit, place, lines);
    placed.push(fit.is === 'whole' || (await areOthersLeft(fit, place, isAsked, lines)) ? code : { lines: fit.lines });
  }
  return placed;
}

/** Asks whether code that is short for the lines it replaces replaces all of them; throws `aborted` if not. */
async function askIfAll(
  fit: Exclude<Fit, { readonly is: 'nowhere' }>,
  place: Place,
  lines: readonly string[],
): Promise<void> {
  const replace = t('Replace All These Lines');
  const end = shownEnd(place, lines);
  const [from, to] = fit.is === 'part' ? [place.start + fit.start, place.start + fit.end] : [place.start, end];
  const question = t('The answer may omit some of lines {0} to {1}. Should it replace all of them?', from + 1, to);
  if ((await showWarning(question, { modal: true, detail: oftenParts() }, replace)) !== replace) throw abortedError();
}

/**
 * Returns whether to delete the lines that the code does not cover. Code from the middle of a file implies nothing
 * about other lines.
 */
async function areOthersLeft(
  { isSaid, start, end }: Extract<Fit, { readonly is: 'part' }>,
  place: Place | undefined,
  isAsked: boolean,
  lines: readonly string[],
): Promise<boolean> {
  if (isSaid || place === undefined || (!isAsked && start > 0)) return false;
  const keep = t('Keep the Other Lines');
  const remove = t('Delete the Other Lines');
  const first = place.start;
  const question = t(
    'The answer contains only lines {0} to {1} of {2} to {3}. What should happen to the other lines?',
    first + start + 1,
    first + end,
    first + 1,
    shownEnd(place, lines),
  );
  const chosen = await showWarning(question, { modal: true, detail: oftenParts() }, keep, remove);
  if (chosen === undefined) throw abortedError();
  return chosen === remove;
}

/** The last line of a place for the user, who does not count the empty one after a final line end. */
function shownEnd({ end }: Place, lines: readonly string[]): number {
  return end === lines.length && lines.at(-1) === '' ? end - 1 : end;
}

function oftenParts(): string {
  return t('Models often answer with only a part of the code. You see the change as a diff before it is written.');
}
