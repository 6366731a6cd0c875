import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { check, checkInTime, type Group } from './group.ts';
import { assertKnownEnd, read, readThroughClient, textOf } from './read.ts';
import { changes, cuts, split, spoil } from './spoil.ts';

const fixtures = new URL('../fixtures/', import.meta.url);
const recordings = readdirSync(fixtures)
  .filter((name) => name.endsWith('.sse'))
  .map((name) => readFileSync(new URL(name, fixtures)));
const recording = fc.constantFrom(...recordings);
const texts = new Map(recordings.map((bytes) => [bytes, textOf(read([bytes]).events)]));
const coded = [
  ...recordings.map((bytes) => ['gzip', gzipSync(bytes)] as const),
  ...recordings.map((bytes) => ['br', brotliCompressSync(bytes)] as const),
];
const contentTypes = fc.constantFrom('text/event-stream', 'text/event-stream; charset=utf-8', 'application/json', '');
const spoilt = fc.tuple(recording, changes, cuts).map(([bytes, all, at]) => split(spoil(bytes, all), at));

/** JSON with the interface's field names and arbitrary values. */
const { answer } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('answer'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  answer: fc.dictionary(
    fc.constantFrom(
      ...['choices', 'delta', 'message', 'content', 'text', 'index', 'finish_reason', 'refusal', 'reasoning'],
      ...['usage', 'prompt_tokens', 'security', 'error', 'code', 'status', 'detail', '__proto__'],
    ),
    fc.oneof(tie('value'), tie('list'), tie('answer')),
    { maxKeys: 4 },
  ),
}));

/** The path of an answer's bytes from the socket to the view's events. */
export const wire: Group = {
  name: 'wire',
  testRuns: 100_000,
  properties: [
    {
      name: 'any split of any recorded stream gives the same text',
      share: 0.25,
      check: check(
        fc.property(recording, cuts, (bytes, at) => {
          const { events, error } = read(split(bytes, at));
          assert.equal(error, undefined);
          assert.equal(textOf(events), texts.get(bytes));
        }),
      ),
    },
    {
      name: 'any change of its bytes ends in an answer or in an error of a known kind',
      share: 0.35,
      check: check(fc.property(spoilt, contentTypes, (pieces, type) => assertKnownEnd(read(pieces, type)))),
    },
    {
      name: 'any JSON in the interface’s own fields does, too, in a stream and as a whole',
      share: 0.2,
      check: check(
        fc.property(answer, fc.boolean(), (value, isStream) => {
          const json = JSON.stringify(value);
          assertKnownEnd(read([Buffer.from(isStream ? `data: ${json}\n\ndata: [DONE]\n\n` : json)]));
        }),
      ),
    },
    {
      name: 'and so it is through the whole client, with nothing left hanging',
      share: 0.18,
      check: checkInTime(
        fc.asyncProperty(spoilt, contentTypes, async (pieces, type) =>
          assertKnownEnd(await readThroughClient(pieces, type, '')),
        ),
      ),
    },
    {
      name: 'and so it is with gzip and br',
      share: 0.02,
      check: checkInTime(
        fc.asyncProperty(fc.constantFrom(...coded), changes, cuts, async ([coding, bytes], all, at) =>
          assertKnownEnd(await readThroughClient(split(spoil(bytes, all), at), 'text/event-stream', coding)),
        ),
      ),
    },
  ],
};
