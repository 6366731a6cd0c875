import { indentOf, isBlank, trimLines } from '../text/lines.ts';
import { Code, type Unit } from '../text/units.ts';
import { isOnlyHead, lacksBody } from './bodies.ts';
import { textOf } from './keys.ts';
import { Unplaced } from './patch.ts';
import type { FileText, Placed, Region } from './region.ts';
import { isShort, outermost, wholePatch } from './whole.ts';

interface ForOne {
  readonly answerCode: Code;
  readonly units: readonly Unit[];
  readonly only: Unit;
}

/**
 * Places code for one declaration, with new declarations beside it; the answer may also repeat what surrounds it in the
 * file.
 */
export function placeOne(file: FileText, region: Region, { answerCode, units, only }: ForOne): Placed | null {
  if (only.name === undefined) return null;
  const same = units.filter(({ name }) => name === only.name);
  if (same.length > 1) return null;
  if (same.length === 0) return placeFromAround(file, region, { answerCode, units, only });
  const [one] = same;
  if (one === undefined || isOnlyHead(answerCode, one)) return null;
  if (lacksBody(answerCode, one, file.code, only)) throw new Unplaced(one.head);
  const declared = [...file.code.declared()];
  const known = new Map(declared.map(({ unit }) => [unit.name, unit]));
  const texts = new Set(declared.map(({ unit }) => textOf(file.code, unit)));
  const kept = units.filter((unit) => {
    if (unit.name === undefined && texts.has(textOf(answerCode, unit))) return false;
    const other = unit === one || unit.name === undefined ? undefined : known.get(unit.name);
    if (other === undefined || other.head === only.head) return true;
    // The unit is repeated from around the place.
    if (textOf(answerCode, unit) === textOf(file.code, other)) return false;
    throw new Unplaced(unit.head);
  });
  const indent = indentOf(answerCode.lines[one.head] ?? '').length;
  if (
    kept.some(({ head }) => indentOf(answerCode.lines[head] ?? '').length !== indent) ||
    outermost(answerCode, kept) !== indent
  ) {
    throw new Unplaced(kept[0]?.head ?? 0);
  }
  const lines = kept.length === units.length ? answerCode.lines : joined(answerCode, kept);
  const patch = wholePatch(file, region, lines);
  if (patch === null) throw new Unplaced(one.head);
  return { patches: [patch], isShown: true };
}

function joined({ lines }: Code, units: readonly Unit[]): readonly string[] {
  return units.flatMap(({ start, end }, at) => [
    ...(at > 0 && isBlank(lines[start - 1] ?? '') ? [''] : []),
    ...lines.slice(start, end),
  ]);
}

/**
 * Handles a model that repeated the class or the file around the place: only the code in the place of the declaration is used.
 */
function placeFromAround(file: FileText, region: Region, { answerCode, units, only }: ForOne): Placed | null {
  const around = [...file.code.declared()].find(({ unit }) => unit.head === only.head)?.around ?? [];
  const known = new Map([...file.code.declared()].map(({ unit }) => [unit.name, unit]));
  for (const container of around) {
    const found = units.find(({ name, holds }) => name !== undefined && name === container.name && holds !== null);
    if (found === undefined) continue;
    for (const unit of units) {
      if (unit === found || unit.name === undefined) continue;
      const other = known.get(unit.name);
      if (other === undefined || textOf(answerCode, unit) !== textOf(file.code, other)) throw new Unplaced(unit.head);
    }
    const inner = trimLines(answerCode.lines.slice(found.inner.start, found.inner.end));
    const code = new Code(inner, answerCode.languageId);
    return placeOne(file, region, { answerCode: code, units: code.units(undefined, found.holds ?? 'top'), only });
  }
  if (units.length !== 1 || known.has(units[0]?.name)) return null;
  // The declaration has a new name.
  const isRenamed =
    only.name !== undefined &&
    units[0]?.name !== undefined &&
    !isShort(answerCode.lines, file.code.lines.slice(only.start, only.end));
  const patch = isRenamed ? wholePatch(file, region, answerCode.lines) : null;
  return patch === null ? null : { patches: [patch], isShown: true };
}
