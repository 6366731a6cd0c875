import { isObject, type JsonObject, listOf } from './answer/answerShape.ts';

const combiners = ['oneOf', 'anyOf', 'allOf'] as const;
/** Keywords that services refuse at the top of a schema: they accept only the properties of an object there. */
const refusedAtTop: ReadonlySet<string> = new Set([
  ...combiners,
  'enum',
  'not',
  'const',
  'if',
  'then',
  'else',
  '$schema',
  '$id',
]);

/**
 * The schema of a tool's input as an object with properties: services refuse a tool without a schema, and most services refuse
 * a choice of objects at its top. The properties of all choices are offered then. Only properties that each choice requires
 * are required, and the tool itself still checks its input.
 */
export function objectSchema(schema: JsonObject | undefined): JsonObject {
  if (schema === undefined) return { type: 'object', properties: {} };
  const isPlain = schema.type === 'object' && isObject(schema.properties);
  if (isPlain && !Object.keys(schema).some((key) => refusedAtTop.has(key))) return schema;
  const kept = Object.fromEntries(Object.entries(schema).filter(([key]) => !refusedAtTop.has(key)));
  const properties = propertiesOf(schema, 0);
  const required = requiredOf(schema, 0).filter((name) => Object.hasOwn(properties, name));
  const { required: _, ...others } = kept;
  return { ...others, type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

/** The maximum depth of choices in choices, because a schema may come from a third party. */
const maxDepth = 5;

function propertiesOf(schema: JsonObject, depth: number): JsonObject {
  const own = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  if (depth > maxDepth) return Object.fromEntries(own);
  const others = combiners.flatMap((name) =>
    choicesOf(schema, name).flatMap((choice) => Object.entries(propertiesOf(choice, depth + 1))),
  );
  // The first description of a property is kept.
  return Object.fromEntries([...others.toReversed(), ...own]);
}

function requiredOf(schema: JsonObject, depth: number): readonly string[] {
  const own = listOf(schema.required).filter((name) => typeof name === 'string');
  if (depth > maxDepth) return own;
  const ofAll = choicesOf(schema, 'allOf').flatMap((part) => requiredOf(part, depth + 1));
  const ofEach = (['oneOf', 'anyOf'] as const).flatMap((name) => {
    const [first = [], ...rest] = choicesOf(schema, name).map((choice) => requiredOf(choice, depth + 1));
    return first.filter((property) => rest.every((required) => required.includes(property)));
  });
  return [...new Set([...own, ...ofAll, ...ofEach])];
}

function choicesOf(schema: JsonObject, name: (typeof combiners)[number]): readonly JsonObject[] {
  return listOf(schema[name]).filter(isObject);
}
