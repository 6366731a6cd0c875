import assert from 'node:assert/strict';
import fc from 'fast-check';
import { score } from '../../../../src/features/context/vscode/attachments/match.ts';
import { nameGlob, withoutFolders } from '../../../../src/features/context/vscode/attachments/nameGlob.ts';
import { globsOf } from '../../../../src/gate/globs/globs.ts';

const matches = (glob: string, path: string): boolean => globsOf({ [glob]: true }, false).checkEntry(path) !== null;

describe('the glob for what is typed', () => {
  it('finds a name by its letters, in either case, and by those of its folders', () => {
    for (const query of ['Payment', 'payment.java', 'pmt', 'PAY', 'acme', 'pay/Payment', 'x/payment', 'ä'])
      assert.ok(matches(nameGlob(query), 'src/com/acme/pay/Payment.jävä.java'), query);
    for (const query of ['jävä', 'ÄV', 'pay\\Pay'])
      for (const form of ['NFC', 'NFD'] as const)
        assert.ok(matches(nameGlob(query.normalize(form)), 'src/pay/Payment.jävä.java'.normalize('NFD')), query);
    assert.ok(!matches(nameGlob('zebra'), 'src/com/acme/pay/Payment.java'));
    assert.equal(nameGlob(''), '**/*');
    assert.equal(nameGlob('src/'), '**/*');
  });

  it('finds the names that the list would offer, whatever they are made of', () => {
    const name = fc.stringMatching(/^[a-zA-Z0-9._,ä[\]{}()! -]{1,12}$/).filter((one) => !/^\.{1,2}$/.test(one));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.nat(), fc.nat(), (parts, from, to) => {
        const path = parts.join('/');
        const last = parts.at(-1) ?? '';
        const [start, end] = [from % last.length, (to % last.length) + 1];
        const query = last.slice(Math.min(start, end - 1), Math.max(start, end));
        fc.pre(query !== '' && score(query, path) > 0);
        assert.ok(matches(nameGlob(query), path), `${query} in ${path}: ${nameGlob(query)}`);
      }),
    );
  });

  it('leaves folders out by names that have one meaning', () => {
    assert.equal(
      withoutFolders(['.venv', 'a b/c-d', 'out[1]', 'x{y}']),
      '{**/node_modules/**,**/.git/**,.venv/**,a b/c-d/**}',
    );
    const many = Array.from({ length: 300 }, (_, at) => `f${at}`);
    assert.equal(withoutFolders(many).split(',').length, 102);
  });
});
