import assert from 'node:assert/strict';
import { openedAs } from '../../../src/platform/messages/openedAs.ts';

/** What VS Code passes to the system for a URI: `OpenerService` in its sources. */
const handedOver = (link: string): string | undefined => {
  const opened = openedAs(link);
  return opened === null ? undefined : encodeURI(opened.uri.toString(true));
};

describe('links of an answer', () => {
  it('are refused with a user name, which VS Code would decode into another host', () => {
    for (const link of [
      'https://evil.example%2F@good.example/',
      'https://a:b@good.example/',
      'mailto:a@b.example%3Fbcc=c@d.example',
    ]) {
      assert.equal(openedAs(link), null, link);
    }
  });

  it('are confirmed with exactly the host that VS Code opens', () => {
    for (const [link, place] of [
      ['https://good.example/%2F@evil.example/', 'good.example'],
      ['https://good.example/%5C%5Cevil.example', 'good.example'],
      ['https://good.example/a%2F..%2F..%2Fb?c=%26d#%23', 'good.example'],
      ['HTTPS://GOOD.example:8443//evil.example', 'good.example:8443'],
      ['https:\\\\good.example\\@evil.example', 'good.example'],
      ['https://g\u043e\u043ed.example/\u202eevil', 'xn--gd-fmca.example'],
      ['mailto:a@b.example?subject=x%20y', 'a@b.example'],
    ] as const) {
      const opened = openedAs(link);
      assert.equal(opened?.place, place, link);
      assert.equal(opened?.href, new URL(handedOver(link) ?? '').href, 'what is shown is what is opened');
      if (link.startsWith('mailto')) continue;
      assert.equal(new URL(opened?.href ?? '').host, place, link);
    }
  });
});
