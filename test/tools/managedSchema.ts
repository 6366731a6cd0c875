// Generates the parts of media/managed-policy.schema.json that come from the tables in src/policy/.
import { readFileSync, writeFileSync } from 'node:fs';
import { type ComplianceRow, compliance, complianceFields, regions } from '../../src/policy/compliance/compliance.ts';
import { features } from '../../src/policy/managed/managedPolicy.ts';
import { ownKeys } from '../../src/policy/managed/parseManagedPolicy.ts';

export const managedSchemaFile = 'media/managed-policy.schema.json';

interface Schema {
  readonly properties: Readonly<Record<'optional' | 'compliance' | 'allowedRegions' | 'disabledFeatures', object>>;
}

/** The expected schema. */
export function withTables(schema: Schema): Schema {
  const { properties } = schema;
  const policyKeys = Object.keys(properties).filter((key) => !ownKeys.includes(key));
  const rows = complianceFields.map((field) => [field, describedValue(compliance[field])]);
  return {
    ...schema,
    properties: {
      ...properties,
      optional: {
        ...properties.optional,
        propertyNames: { pattern: `^(?!(?:${ownKeys.map((key) => key.replace('$', '\\$')).join('|')})$)` },
        properties: Object.fromEntries(policyKeys.map((key) => [key, { $ref: `#/properties/${key}` }])),
      },
      compliance: { ...properties.compliance, properties: Object.fromEntries(rows) },
      allowedRegions: { ...properties.allowedRegions, items: { enum: [...regions] } },
      disabledFeatures: { ...properties.disabledFeatures, items: { enum: [...features] } },
    },
  };
}

function describedValue({ header, values, combine, managed }: ComplianceRow): object {
  const description = header + managed;
  if (combine === 'union') return { type: 'array', items: { enum: [...values] }, description };
  const isFlag = values.some((value) => typeof value === 'boolean');
  return isFlag ? { type: ['boolean', 'null'], description } : { enum: [...values, null], description };
}

if (import.meta.main) {
  const schema = withTables(JSON.parse(readFileSync(managedSchemaFile, 'utf8')));
  writeFileSync(managedSchemaFile, `${JSON.stringify(schema, null, 2)}\n`);
}
