import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type ComplianceKey,
  compliance,
  complianceFields,
  frameworks,
} from '../../../src/policy/compliance/compliance.ts';
import { resolvePolicy } from '../../../src/policy/compliance/resolve.ts';
import { type Layer, layerNames, type Resolved } from '../../../src/policy/requestPolicy.ts';
import { resolvePreview } from '../../../src/policy/resolvePreview.ts';
import { invalidValues, validValues } from '../../tools/headerInventory.ts';
import { asked, holds } from './layers.ts';

const runs = { numRuns: 20_000 };

const keys = Object.keys(validValues) as readonly ComplianceKey[];

/** Values that no key may have: another type, another case, another word. */
const junk: readonly unknown[] = [
  'Maximum',
  ' high',
  'true',
  'EU-WEST',
  'us-east ',
  '',
  0,
  1,
  Number.NaN,
  {},
  { 0: 'hipaa' },
  [null],
  ['HIPAA'],
  [['hipaa']],
  ['hipaa', 'iso-27001'],
  Symbol.iterator,
  10n,
];

/** Picks one of `choices` by the number, and keeps the rest of the number for the next pick. */
class Digits {
  #rest: number;

  constructor(number: number) {
    this.#rest = number;
  }

  take<T>(choices: readonly T[]): T {
    const digit = this.#rest % choices.length;
    this.#rest = Math.floor(this.#rest / choices.length);
    return choices[digit] as T;
  }
}

/** A layer is one number: this generates thousands in the time that a few records of arbitraries take. */
function layerOf(number: number): Layer {
  const digits = new Digits(number);
  const entries = keys.map((key) => [key, digits.take(validValues[key])]);
  const name = digits.take(['a', 'b']);
  return { layer: digits.take(layerNames), name, values: Object.fromEntries(entries) };
}
const layerCount = keys.reduce((product, key) => product * validValues[key].length, 2 * layerNames.length);

const layer = fc.nat(layerCount - 1).map(layerOf);
const layers = fc.array(layer, { maxLength: 4 });
const spoil = (one: Layer, key: ComplianceKey, value: unknown): Layer => ({
  ...one,
  values: { ...one.values, [key]: value },
});
/** One in four contains an invalid value. */
const anyLayer = fc.tuple(layer, fc.nat(4 * keys.length * junk.length - 1)).map(([one, number]) => {
  const digits = new Digits(number);
  return digits.take([false, false, false, true]) ? spoil(one, digits.take(keys), digits.take(junk)) : one;
});
const anyLayers = fc.array(anyLayer, { maxLength: 4 });

/** The result of a resolution with its layers, without order and duplicates. */
function meaning(of: readonly Layer[]): string {
  const set = (all: readonly unknown[]): readonly string[] =>
    [...new Set(all.map((one) => JSON.stringify(one) ?? ''))].sort();
  const resolved = resolvePolicy(of);
  if (!resolved.ok) return set(resolved.problems.map((one) => ({ ...one, found: set(one.found) }))).join();
  const parts = Object.values(resolved.policy) as readonly Resolved<unknown>[];
  return JSON.stringify(parts.map(({ value, setBy, overruled }) => [value, set(setBy), set(overruled)]));
}

const shuffled = <T>(all: fc.Arbitrary<readonly T[]>): fc.Arbitrary<readonly [readonly T[], readonly T[]]> =>
  fc.tuple(all, fc.nat()).map(([list, seed]) => {
    const digits = new Digits(seed);
    const rest = [...list];
    return [list, list.map(() => rest.splice(digits.take([...rest.keys()]), 1)[0] as T)];
  });

describe('policy: the laws of layers, 20,000 runs each', () => {
  it('is never looser than any layer, and blocks only on two regions', () => {
    fc.assert(
      fc.property(layers, (all) => {
        const resolved = resolvePolicy(all);
        const wanted = new Set(all.map((one) => asked(one, 'svc.compliance.dataResidency')));
        wanted.delete(null);
        if (wanted.size > 1) return !resolved.ok && resolved.problems.every(({ reason }) => reason === 'conflict');
        return resolved.ok && all.every((one) => holds(resolved.policy, one));
      }),
      runs,
    );
  });

  it('requires nothing that no layer requires', () => {
    fc.assert(
      fc.property(layers, (all) => {
        const resolved = resolvePolicy(all);
        if (!resolved.ok) return true;
        const isAsked = (key: ComplianceKey, value: unknown): boolean =>
          value === null || all.some((one) => asked(one, key) === value);
        return complianceFields.every((field) => {
          const { setting } = compliance[field];
          const { value } = resolved.policy[field];
          if (!Array.isArray(value)) return isAsked(setting, value);
          const listed = all.flatMap((one) => asked(one, setting) ?? []);
          return value.every((name) => listed.includes(name));
        });
      }),
      runs,
    );
  });

  it('names every layer that sets a value, as its source or as overruled', () => {
    fc.assert(
      fc.property(layers, (all) => {
        const resolved = resolvePolicy(all);
        if (!resolved.ok) return true;
        const isTold = (key: ComplianceKey, { value, setBy, overruled }: Resolved<unknown>): boolean => {
          const asking = all.map((one) => asked(one, key)).filter((one) => one !== null);
          return (
            setBy.length === asking.filter((one) => one === value).length &&
            overruled.length === asking.length - setBy.length &&
            overruled.every((one) => one.asked !== String(value))
          );
        };
        return complianceFields.every((field) => {
          const { setting, combine } = compliance[field];
          return combine === 'union' || isTold(setting, resolved.policy[field]);
        });
      }),
      runs,
    );
  });

  it('does not depend on the order, neither in values nor in problems', () => {
    fc.assert(
      fc.property(shuffled(anyLayers), ([all, other]) => meaning(all) === meaning(other)),
      runs,
    );
  });

  it('is unchanged if a layer is repeated', () => {
    fc.assert(
      fc.property(fc.array(anyLayer, { minLength: 1, maxLength: 3 }), fc.nat(), (all, index) => {
        return meaning(all) === meaning([...all, all[index % all.length] as Layer]);
      }),
      runs,
    );
  });

  it('is not loosened by an additional layer, and what is blocked stays blocked', () => {
    fc.assert(
      fc.property(anyLayers, anyLayer, (all, more) => {
        const before = resolvePolicy(all);
        const after = resolvePolicy([...all, more]);
        if (!before.ok) return !after.ok;
        return !after.ok || all.every((one) => holds(after.policy, one));
      }),
      runs,
    );
  });

  it('an invalid value in any layer blocks, and is named with its key and layer', () => {
    const place = fc.tuple(layer, fc.constantFrom(...keys), fc.constantFrom(...junk), fc.nat(4));
    fc.assert(
      fc.property(layers, place, (all, [bad, key, value, at]) => {
        const resolved = resolvePolicy(all.toSpliced(at, 0, spoil(bad, key, value)));
        if (resolved.ok) return false;
        return resolved.problems.some(
          ({ reason, key: named, found: [found] }) =>
            reason === 'invalid' && named === key && found?.layer === bad.layer && found.name === bad.name,
        );
      }),
      runs,
    );
  });

  it('so does any value that the table does not list', () => {
    const lists = (key: ComplianceKey, value: unknown): boolean =>
      validValues[key].includes(value) ||
      (Array.isArray(value) && key === 'svc.compliance.frameworks' && value.every((one) => frameworks.includes(one)));
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.anything({ maxDepth: 1, maxKeys: 2 }), (key, value) => {
        return resolvePolicy([{ layer: 'workspace', values: { [key]: value } }]).ok === lists(key, value);
      }),
      { ...runs, examples: [['svc.compliance.frameworks', ['gdpr', 'gdpr']]] },
    );
  });

  it('a preview is shown if one layer requires it, in any order, and an invalid value blocks', () => {
    const raw = fc.array(fc.constantFrom<unknown>(true, false, undefined, 'true', 1, null), { maxLength: 4 });
    fc.assert(
      fc.property(shuffled(raw), ([all, other]) => {
        const read = (list: readonly unknown[]) =>
          resolvePreview(list.map((value) => ({ layer: 'folder', values: { 'svc.gate.preview': value } })));
        const resolved = read(all);
        const isGood = all.every((value) => typeof value === 'boolean' || value === undefined);
        const again = read(other);
        if (!resolved.ok) return !isGood && !again.ok && again.problems.length === resolved.problems.length;
        return isGood && again.ok && again.isAsked === resolved.isAsked && resolved.isAsked === all.includes(true);
      }),
      runs,
    );
  });
});

describe('policy: layers by example', () => {
  it('a word in another case, or of another type, is invalid for every key in every layer', () => {
    for (const key of keys) {
      for (const value of invalidValues[key]) {
        for (const name of layerNames) {
          const resolved = resolvePolicy([{ layer: name, values: { [key]: value } }]);
          assert.ok(!resolved.ok, `${key} ${JSON.stringify(value)}`);
          assert.deepEqual(
            resolved.problems.map((problem) => [problem.key, problem.found[0]?.layer]),
            [[key, name]],
          );
        }
      }
    }
  });

  it('a value nested too deeply for JSON blocks like any other, with the same message', () => {
    let deep: unknown = [];
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
    const resolved = resolvePolicy([{ layer: 'workspace', values: { 'svc.compliance.frameworks': deep } }]);
    assert.deepEqual(!resolved.ok && resolved.problems[0]?.found, [{ layer: 'workspace', value: '[…]' }]);
  });

  it('two folders with two regions cannot be sent together', () => {
    const folder = (name: string, region: string): Layer => ({
      layer: 'folder',
      name,
      values: { 'svc.compliance.dataResidency': region },
    });
    const resolved = resolvePolicy([folder('one', 'eu-west'), folder('two', 'us-east')]);
    assert.ok(!resolved.ok);
    assert.deepEqual(
      resolved.problems.map(({ reason, found }) => [reason, found.map(({ name }) => name)]),
      [['conflict', ['one', 'two']]],
    );
    assert.ok(resolvePolicy([folder('one', 'eu-west'), folder('two', 'eu-west')]).ok);
  });
});
