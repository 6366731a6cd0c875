import {
  type ComplianceField,
  type ComplianceKey,
  type ComplianceRow,
  compliance,
  complianceFields,
  type FlagField,
  isFlag,
} from '../../src/policy/compliance/compliance.ts';

type BySetting = { readonly [K in ComplianceKey]: readonly unknown[] };

/** The words of headers that are flags: `zero retention`. */
export const flagWords = Object.fromEntries(
  complianceFields.filter(isFlag).map((field) => [field, field.replace(/[A-Z]/g, (big) => ` ${big.toLowerCase()}`)]),
) as Readonly<Record<FlagField, string>>;

/** The valid values of a layer for each setting; for a list, all of its parts. Null and undefined leave the setting unset. */
export const validValues = bySetting(({ combine, values }) =>
  combine === 'union' ? [undefined, ...partsOf(values)] : [undefined, null, ...values],
);

/** The invalid values for each setting: another type, another case, another word. */
export const invalidValues = bySetting(({ combine, values: [first, ...others] }) => {
  if (typeof first === 'boolean') return ['true', 'True', 1, 0, '', [], {}];
  if (combine !== 'union') return [first?.toUpperCase(), `${first} `, `${first}er`, '', true, false, 3, [first], {}];
  const lists = [[first?.toUpperCase()], [`${first}er`], [first, null], [1]];
  return [first, ...lists, { [`${first}`]: true }, true, null, [first, ...others].join(',')];
});

function bySetting(of: (row: ComplianceRow) => readonly unknown[]): BySetting {
  const row = (field: ComplianceField): ComplianceRow => compliance[field];
  return Object.fromEntries(complianceFields.map((field) => [row(field).setting, of(row(field))])) as BySetting;
}

function partsOf(values: readonly unknown[]): readonly (readonly unknown[])[] {
  return Array.from({ length: 2 ** values.length }, (_, bits) => values.filter((_name, at) => bits & (1 << at)));
}
