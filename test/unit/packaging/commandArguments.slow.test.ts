import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { CommandName } from '../../../src/commands.ts';
import { isServiceError } from '../../../src/util/errors.ts';
import { hostModule } from '../../tools/hostModule.ts';

type Parser = typeof import('../../../src/platform/commands/commandArguments.ts');

const parser = 'src/platform/commands/commandArguments.ts';
const { commands } = await hostModule<typeof import('../../../src/commands.ts')>('src/commands.ts', 'en');
const { readArguments } = await hostModule<Parser>(parser, 'en');
const inGerman = await hostModule<Parser>(parser, 'de');

const names = Object.keys(commands) as CommandName[];
const taking = names.filter((name) => commands[name].schemas.length > 0);

/** The result, or the reason for a refusal. Other errors are not caught. */
const read = (name: CommandName, ...given: readonly unknown[]): unknown => {
  try {
    return readArguments(commands[name].schemas, given);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    assert.equal(error.kind, 'request');
    assert.equal(error.code, 'wrong-argument');
    assert.notEqual(error.reason ?? '', '');
    return error.reason;
  }
};

const thrower = (): never => {
  throw new Error('not for others');
};
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
cyclic.prompt = cyclic;
const proxied = new Proxy({}, { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower });
const hostile: readonly unknown[] = [
  ...[0, -1, Number.NaN, 2n ** 70n, true, Symbol('x'), thrower, '', 'x'.repeat(10_000_000)],
  ...[[], [[]], new Map(), new Date(Number.NaN), cyclic, proxied, Object.create(null), new Proxy([], { get: thrower })],
  Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key ${index}`, index])),
  Object.defineProperty({}, 'prompt', { get: thrower, enumerable: true }),
  Object.defineProperty({}, 'scheme', { get: thrower, enumerable: true }),
  {
    prompt: 1,
    instruction: [],
    uri: {},
    id: 4,
    keys: 'yes',
    audit: 1,
    format: 'exe',
    target: 7,
    source: 'x',
    line: '1',
  },
  { scheme: 'file', authority: '', path: 'x'.repeat(10_000), query: '', fragment: '' },
  // biome-ignore lint/suspicious/noThenProperty: a value of another extension.
  { then: thrower },
];

describe('the arguments of commands', () => {
  it('have a schema for every command of package.json', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    const contributed: string[] = manifest.contributes.commands.map(({ command }: { command: string }) => command);
    assert.deepEqual(names.toSorted(), contributed.toSorted());
  });

  for (const name of taking) {
    it(`the arguments of ${name} may be missing; hostile ones are read or refused without an exception`, () => {
      const none = commands[name].schemas.map(() => undefined);
      assert.deepEqual(read(name), none);
      assert.deepEqual(read(name, null, null), none);
      for (const value of hostile) {
        read(name, value);
        read(name, undefined, value);
      }
      assert.equal(typeof read(name, 7), 'string');
      assert.equal(typeof read(name, proxied), 'string');
    });
  }

  it('arguments of any type are read, or refused with a reason that does not repeat them', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...taking),
        fc.anything({ withNullPrototype: true, withBigInt: true }),
        (name, value) => {
          read(name, value);
        },
      ),
      { numRuns: 5_000 },
    );
    assert.ok(!String(read('svc.purgeLocalData', { audit: 'svc_ent_secret' })).includes('secret'));
    assert.ok(!String(read('svc.setApiKey', { source: 'svc_ent_secret' })).includes('secret'));
    assert.ok(!String(read('svc.setApiKey', { svc_ent_secret: 1 })).includes('secret'));
  });

  it('are ignored for commands without parameters', () => {
    for (const name of names.filter((each) => !taking.includes(each))) {
      for (const value of hostile) assert.deepEqual(read(name, value), []);
    }
  });

  it('are copies: later changes by the caller have no effect', () => {
    let asked = 0;
    const shifty = {
      get audit() {
        asked += 1;
        return asked > 1;
      },
    };
    const [options] = readArguments(commands['svc.purgeLocalData'].schemas, [shifty]);

    assert.deepEqual(options, { audit: false });
  });

  it('wrong arguments are reported with their place and the allowed values', () => {
    assert.equal(read('svc.openChat', { prompt: 1 }), 'argument 1.prompt must be of type string');
    assert.equal(read('svc.openChat', { promt: 'x' }), 'argument 1 has an unknown key');
    assert.equal(read('svc.suppressFinding', { uri: 'a:b', id: '1', why: 'x' }), 'argument 1 has an unknown key');
    assert.equal(read('svc.exportConversation', { format: 'pdf' }), 'argument 1.format must be one of markdown, json');
    assert.equal(read('svc.editCode', { start: -1 }), 'argument 1.start is too small; the minimum is 0');
    assert.equal(read('svc.acceptHunk', 'svc-proposal:/a', 1.5), 'argument 2 must be of type int');
    assert.equal(read('svc.attach', undefined, ['file:///a', 3]), 'argument 2.1 must be of type string');
  });

  it('wrong arguments are reported in the language of VS Code', () => {
    const reason = (given: object): string | undefined => {
      try {
        inGerman.readArguments(commands['svc.exportConversation'].schemas, [given]);
      } catch (error) {
        return isServiceError(error) ? error.reason : undefined;
      }
      return undefined;
    };
    assert.equal(reason({ format: 'pdf' }), 'Argument 1.format muss eines von diesen sein: markdown, json');
    assert.equal(reason({ form: 'pdf' }), 'Argument 1 hat einen unbekannten Schlüssel');
  });

  it('the arguments of menus are accepted: a URI, and VS Code’s object for a group or a repository', () => {
    // Like the class of VS Code, it has more than the URI components.
    const uri = {
      scheme: 'file',
      authority: '',
      path: '/a.ts',
      query: '',
      fragment: '',
      _formatted: null,
      fsPath: '/a.ts',
    };
    const parts = { scheme: 'file', authority: '', path: '/a.ts', query: '', fragment: '' };
    for (const name of ['svc.editCode', 'svc.reviewFile', 'svc.generateCode', 'svc.explainCode'] as const) {
      assert.deepEqual(read(name, uri, { groupId: 0 }), [parts]);
    }
    assert.deepEqual(read('svc.acceptHunk', uri, { groupId: 0, editorIndex: 1 }), [parts, undefined, undefined]);
    assert.deepEqual(read('svc.attach', uri, [uri, uri]), [parts, [parts, parts]]);
    assert.deepEqual(read('svc.generateCommitMessage', { rootUri: uri, inputBox: proxied }), [{ rootUri: parts }]);
  });
});
