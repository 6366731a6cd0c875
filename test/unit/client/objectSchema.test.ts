import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/client/answer/answerShape.ts';
import { objectSchema } from '../../../src/client/objectSchema.ts';

const text = { type: 'string' };
const number = { type: 'number' };

describe('the schema of a tool', () => {
  const cases: readonly (readonly [what: string, given: JsonObject | undefined, expected: JsonObject])[] = [
    ['none', undefined, { type: 'object', properties: {} }],
    ['empty', {}, { type: 'object', properties: {} }],
    ['an object without properties', { type: 'object' }, { type: 'object', properties: {} }],
    ['properties without a type', { properties: { a: text } }, { type: 'object', properties: { a: text } }],
    ['null as properties', { type: 'object', properties: null }, { type: 'object', properties: {} }],
    [
      'a list of types',
      { type: ['object', 'null'], properties: { a: text } },
      { type: 'object', properties: { a: text } },
    ],
    [
      'oneOf at its top: what each choice requires is required',
      {
        oneOf: [
          { type: 'object', properties: { a: text, b: number }, required: ['a', 'b'] },
          { type: 'object', properties: { a: text, c: text }, required: ['a', 'c'] },
        ],
      },
      { type: 'object', properties: { a: text, b: number, c: text }, required: ['a'] },
    ],
    [
      'anyOf beside properties of its own',
      {
        type: 'object',
        properties: { a: text, b: text },
        required: ['a'],
        anyOf: [{ required: ['b'] }, { required: ['c'] }],
      },
      { type: 'object', properties: { a: text, b: text }, required: ['a'] },
    ],
    [
      'allOf: all of it is required',
      {
        allOf: [
          { properties: { a: text }, required: ['a'] },
          { properties: { b: text }, required: ['b'] },
        ],
      },
      { type: 'object', properties: { a: text, b: text }, required: ['a', 'b'] },
    ],
    [
      'choices in choices',
      { anyOf: [{ oneOf: [{ properties: { a: text } }, { properties: { b: text } }] }] },
      { type: 'object', properties: { a: text, b: text } },
    ],
    [
      'a choice that is no object',
      { oneOf: ['x', null, { properties: { a: text } }] },
      { type: 'object', properties: { a: text } },
    ],
    [
      'words beside them stay, keywords of documents do not',
      { $schema: 'http://json-schema.org/draft-07/schema#', description: 'd', additionalProperties: false, enum: [1] },
      { description: 'd', additionalProperties: false, type: 'object', properties: {} },
    ],
  ];

  for (const [what, given, expected] of cases) {
    it(`${what}`, () => {
      const schema = objectSchema(given);
      assert.deepEqual(
        { ...schema, properties: sorted(schema.properties) },
        { ...expected, properties: sorted(expected.properties) },
      );
    });
  }

  it('a schema that is an object with properties is sent as it is', () => {
    const schema = {
      type: 'object',
      properties: { a: { oneOf: [text, number] } },
      required: ['a'],
      $defs: { x: text },
    };
    assert.equal(objectSchema(schema), schema);
  });

  it('is an object with properties, whatever it was, and requires only what it has', () => {
    fc.assert(
      fc.property(
        fc.object({
          maxDepth: 5,
          key: fc.constantFrom('type', 'properties', 'oneOf', 'anyOf', 'allOf', 'required', 'a', '__proto__'),
        }),
        (given) => {
          const schema = objectSchema(given as JsonObject);
          assert.equal(schema.type, 'object');
          const { properties, required } = schema;
          assert.ok(typeof properties === 'object' && properties !== null && !Array.isArray(properties));
          for (const name of ['oneOf', 'anyOf', 'allOf', 'enum', 'not']) assert.ok(!Object.hasOwn(schema, name));
          if (schema !== given && Array.isArray(required))
            for (const name of required) assert.ok(Object.hasOwn(properties, String(name)));
        },
      ),
    );
  });

  it('is made in bounded time from choices in choices', () => {
    let deep: JsonObject = { properties: { a: text } };
    for (let depth = 0; depth < 10_000; depth += 1) deep = { oneOf: [deep] };
    assert.deepEqual(objectSchema(deep), { type: 'object', properties: {} });
  });
});

function sorted(properties: unknown): unknown {
  return Object.entries(properties as object).sort(([a], [b]) => a.localeCompare(b));
}
