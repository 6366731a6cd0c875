import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ToolCallAssembler } from '../../../src/client/answer/toolCalls.ts';
import { isServiceError } from '../../../src/util/errors.ts';
import { Dice } from '../../tools/dice.ts';

interface Piece {
  index?: number;
  id?: string;
  function: { name?: string; arguments: string };
}

interface Given {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const inputs = fc.array(fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }), {
  minLength: 1,
  maxLength: 5,
});

/**
 * The ways in which services assign a piece to a call. Those that identify the call in each piece may interleave the
 * calls.
 */
const dialects = [
  'index',
  'same index and id',
  'id',
  'index, id and name',
  'in a row',
  'in a row, same index',
  'all again with each piece',
  'an empty object first',
  'the name in pieces',
  'no ids, one list',
] as const;

function piecesOf({ id, name, input }: Given, at: number, dialect: (typeof dialects)[number], dice: Dice): Piece[] {
  const text = JSON.stringify(input);
  if (dialect === 'no ids, one list') return [{ function: { name, arguments: text } }];
  const half = dialect === 'the name in pieces' ? 1 + dice.below(name.length - 1) : name.length;
  const first = dialect === 'an empty object first' ? '{}' : '';
  const pieces: Piece[] = [{ id, function: { name: name.slice(0, half), arguments: first } }];
  if (half < name.length) pieces.push({ function: { name: name.slice(half), arguments: '' } });
  for (let from = 0; from < text.length; ) {
    const to = from + 1 + dice.below(9);
    pieces.push({
      function: { arguments: text.slice(dialect === 'all again with each piece' ? 0 : from, to) },
    });
    from = to;
  }
  const isEach = dialect === 'same index and id' || dialect === 'id' || dialect === 'index, id and name';
  for (const piece of pieces) {
    if (isEach) piece.id = id;
    if (dialect === 'index, id and name') piece.function.name = name;
    if (/^(?:index|all|an empty|the name)/.test(dialect)) piece.index = at;
    if (dialect === 'same index and id' || dialect === 'in a row, same index') piece.index = 0;
  }
  return pieces;
}

/** The pieces of all calls, each call's in order, interleaved if the dialect can distinguish the calls. */
function mixed(queues: Piece[][], isMixed: boolean, dice: Dice): readonly Piece[] {
  const all: Piece[] = [];
  for (;;) {
    const waiting = queues.filter(({ length }) => length > 0);
    const next = (isMixed ? dice.pick(waiting) : waiting[0])?.shift();
    if (next === undefined) return all;
    all.push(next);
  }
}

/** In every dialect, each call gets its own input. */
export const asSaid = fc.property(inputs, fc.constantFrom(...dialects), fc.nat(), (given, dialect, seed) => {
  const dice = new Dice(seed);
  const calls = given.map((input, at) => ({
    id: `call_${at}`,
    name: `tool_${at}`,
    input: JSON.parse(JSON.stringify(input)),
  }));
  const queues = calls.map((call, at) => piecesOf(call, at, dialect, dice));
  const pieces = mixed(queues, !/^(?:in a row|no ids)/.test(dialect), dice);
  const assembler = new ToolCallAssembler();
  if (dialect === 'no ids, one list') {
    assembler.push(pieces);
    const made = assembler.take().map(({ name, input }) => ({ name, input }));
    assert.equal(JSON.stringify(made), JSON.stringify(calls.map(({ name, input }) => ({ name, input }))));
    return;
  }
  for (const piece of pieces) assembler.push([piece]);
  const got = new Map(assembler.take().map((call) => [call.id, call]));
  assert.equal(got.size, calls.length);
  for (const call of calls) assert.equal(JSON.stringify(got.get(call.id)), JSON.stringify(call), dialect);
});

/** With pieces repeated, lost, out of order, or without index or id, the result is calls or a ServiceError. */
export const asBroken = fc.property(inputs, fc.constantFrom(...dialects), fc.nat(), (given, dialect, seed) => {
  const dice = new Dice(seed);
  const calls = given.map((input, at) => ({ id: `call_${at}`, name: `tool_${at}`, input }));
  const pieces = mixed(
    calls.map((call, at) => piecesOf(call, at, dialect, dice)),
    dice.below(2) === 0,
    dice,
  ).flatMap((piece) => {
    switch (dice.below(8)) {
      case 0:
        return [piece, piece];
      case 1:
        return [];
      case 2:
        return [{ ...piece, index: dice.pick([0, 1, 7, -1, 1e9]) }];
      case 3:
        return [{ ...piece, id: dice.pick(['', 'call_0', 'call_9']) }];
      case 4:
        return [{ function: piece.function }];
      default:
        return [piece];
    }
  });
  if (dice.below(2) === 0) pieces.sort(() => dice.below(3) - 1);
  const assembler = new ToolCallAssembler();
  try {
    for (const piece of pieces) assembler.push([piece]);
    const got = assembler.take();
    assert.ok(got.length <= pieces.length);
    for (const { name, id, input } of got) assert.ok(name !== '' && id !== '' && typeof input === 'object');
  } catch (error) {
    if (!isServiceError(error)) throw error;
    assert.ok(error.kind === 'protocol' && (error.code === 'tool-call' || error.code === 'tool-call-cut'));
  }
});
