import assert from 'node:assert/strict';
import fc from 'fast-check';
import { linkTarget } from '../../../src/protocol/linkTarget.ts';

describe('protocol/linkTarget', () => {
  for (const link of [
    'https://evil%2F@good.example/',
    'https://good.example@evil.example/',
    'https://good.example:443@evil.example/',
    'https://:secret@good.example/',
    'HTTPS://user@good.example',
    'https:\\\\good.example@evil.example',
    'ht\ntps://user@good.example/',
    '//good.example/',
    '/\\good.example/',
    'good.example',
    'https://evil%2fgood.example/',
    'https://evil%5cgood.example/',
    'https://evil%00good.example/',
    'https://[::1]/',
    'http://[::ffff:127.0.0.1]:80/',
    `https://${'a.'.repeat(150)}example/`,
    'command:workbench.action.quit',
    'COMMAND:workbench.action.quit',
    'vscode://x/y',
    'vscode-insiders://x/y',
    'file:///etc/hosts',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://good.example/',
    'blob:https://good.example/x',
    'mailto:',
    'mailto:a@b.example,c@evil.example',
    'mailto:a%2Cc@b.example',
    'mailto:a@b.example?bcc=c@evil.example',
    'mailto:a@b.example?TO=c@evil.example',
    'mailto:a@b.example?attach=/etc/hosts',
    'mailto:a@b.example?subject=x%26bcc=c@evil.example',
    'mailto:a@b.example?subject=x%0D%0Abcc:c@evil.example',
    'mailto://user@b.example',
  ])
    it(`returns none for ${link.slice(0, 60)}`, () => assert.equal(linkTarget(link), undefined));

  for (const [link, href, place] of [
    ['HTTPS://Good.Example', 'https://good.example/', 'good.example'],
    ['https:\\\\good.example\\x', 'https://good.example/x', 'good.example'],
    ['\thttps://go\nod.example/ ', 'https://good.example/', 'good.example'],
    ['https:good.example', 'https://good.example/', 'good.example'],
    ['https://good.example:443/', 'https://good.example/', 'good.example'],
    ['http://good.example:8080/', 'http://good.example:8080/', 'good.example:8080'],
    ['https://g\u043e\u043ed.example/', 'https://xn--gd-fmca.example/', 'xn--gd-fmca.example'],
    ['https://good.example\u3002evil.example/', 'https://good.example.evil.example/', 'good.example.evil.example'],
    ['https://good.example/@evil.example', 'https://good.example/@evil.example', 'good.example'],
    ['https://0x7f.1/', 'https://127.0.0.1/', '127.0.0.1'],
    ['mailto:a.b+c@d.example?subject=Hi', 'mailto:a.b+c@d.example?subject=Hi', 'a.b+c@d.example'],
  ] as const)
    it(`returns ${href} for ${JSON.stringify(link)}`, () => assert.deepEqual(linkTarget(link), { href, place }));

  it('names the host of the complete address, for any link', () => {
    const piece = fc.constantFrom(
      ...'https: http: // / \\ @ : % 2F %2F %40 ? # good.example evil.example é \t . [ ]'.split(' '),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const target = linkTarget(pieces.join(''));
        if (target === undefined) return;
        const url = new URL(target.href);
        assert.equal(target.place, url.host);
        assert.equal(url.username + url.password, '');
        assert.match(target.href, /^[\x21-\x7e]+$/);
        assert.deepEqual(linkTarget(target.href), target);
      }),
      { numRuns: 2_000 },
    );
  });
});
