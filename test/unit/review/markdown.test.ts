import assert from 'node:assert/strict';
import { posix } from 'node:path';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { linkPath } from '../../../src/features/review/vscode/linkPath.ts';
import { compareReviews } from '../../../src/review/findings/compare.ts';
import { plain, reviewAsMarkdown } from '../../../src/review/markdown.ts';
import type { ReviewReport } from '../../../src/review/report.ts';
import { words } from './markdownWords.ts';
import { finding, place, report } from './reports.ts';

describe('a review as Markdown', () => {
  it('reports no findings only if everything was reviewed', () => {
    assert.match(reviewAsMarkdown(report(), words), /\*\*Review complete\*\*[\s\S]*Nothing found/);
    const notReviewed = [{ file: 'a.ts', reason: 'prose', isPartial: false }] as const;
    const incomplete = reviewAsMarkdown(report({ notReviewed }), words);
    assert.match(incomplete, /\*\*Review incomplete\*\*[\s\S]*## Not reviewed \(1\)\n\n- a\.ts: prose/);
    assert.ok(!incomplete.includes('Nothing found'));
    const lost = [{ file: 'a.ts', uri: '', reason: 'unknown-rule', rule: 'made-up', line: null, text: 'A' }] as const;
    const unread = reviewAsMarkdown(report({ lost }), words);
    assert.match(unread, /\*\*Review incomplete\*\*[\s\S]*## Not read \(1\)\n\n- a\.ts: made-up: unknown-rule/);
    assert.ok(!unread.includes('Nothing found'));
  });

  it('counts what was not reviewed, not the reasons', () => {
    const notReviewed = [
      { file: 'a.ts', reason: 'truncated', isPartial: true },
      { file: 'a.ts', reason: 'too-many', isPartial: true },
      { file: 'b.ts', reason: 'truncated', lines: [1, 9], isPartial: true },
      { file: 'b.ts', reason: 'truncated', lines: [10, 19], isPartial: true },
    ] as const;
    assert.match(
      reviewAsMarkdown(report({ notReviewed }), words),
      /## Not reviewed \(3\)\n\n- a\.ts: truncated, too-many\n- b\.ts: truncated\n- b\.ts: truncated/,
    );
  });

  it('lists findings by framework, and what is new, suppressed and removed', () => {
    const text = 'eval(text);\n// svc-ignore gdpr-erasure: kept by law\nrows.remove(id);\n';
    const findings = place(text, [
      finding('pci-injection', 'eval(text);'),
      finding('gdpr-erasure', 'rows.remove(id);'),
    ]);
    const now = report({ findings });
    const earlier = place('gone();', [finding('gdpr-encryption', 'gone();')]);
    const shown = reviewAsMarkdown({ ...now, comparison: compareReviews({ findings: earlier }, now) }, words);
    assert.match(
      shown,
      /### PCI DSS \(1\)\n\n#### high · src\/pay\.ts:1 · pci-injection · new\n\nAbout pci-injection\./,
    );
    assert.match(shown, /## Suppressed \(1\)\n\n- src\/pay\.ts:3: gdpr-erasure: .*\(reason: kept by law\)/);
    assert.match(shown, /## Gone \(1\)\n\n- src\/pay\.ts:1: gdpr-encryption/);
  });

  it('handles a megabyte of fences', () => {
    const fences = '```\n'.repeat(262_144);
    const findings = [{ ...place('eval(text);', [finding('pci-injection', 'eval(text);')])[0], quote: fences }];
    const shown = reviewAsMarkdown(report({ findings: findings as ReviewReport['findings'] }), words);
    assert.ok(shown.includes(`\n\`\`\`\`text\n${fences}\n\`\`\`\`\n`));
  });

  it('turns nothing from the service or the workspace into an image, a link, HTML or a heading', () => {
    const hostile =
      '![x](https://evil.example/?q=1) <img src=x> [y](command:z) https://evil.example //evil.example ///evil.example mailto:a@evil.example MAILTO:evil a@evil.example www.evil.example `a` **b** # c';
    const findings = place(
      'a();',
      [finding('pci-injection', '```\n![x](https://evil.example)', { message: hostile, fix: hostile })],
      { name: 'a![x](https://evil.example).ts' },
    );
    const shown = reviewAsMarkdown(
      report({ findings, notReviewed: [{ file: hostile, reason: 'prose', isPartial: false }] }),
      words,
    );
    const html = new MarkdownIt({ html: true, linkify: true }).render(shown);
    assert.ok(!/<img|<a /.test(html), html);
    assert.ok(html.includes('![x](https://evil.example/?q=1) &lt;img src=x&gt;'));
  });

  it('links findings to their lines, and nothing else', () => {
    const name = 'a](b) <c> `d` #e \u202ef.ts';
    const findings = place('a();\nb();', [finding('pci-injection', 'b();'), finding('pci-injection', 'gone();')], {
      name,
    });
    const link = linkPath('/w', `/w/${name}`, 2);
    const shown = reviewAsMarkdown(report({ findings }), words, (uri, line) =>
      uri === `file:///w/${name}` ? linkPath('/w', `/w/${name}`, line) : null,
    );
    const html = new MarkdownIt({ html: true, linkify: true }).render(shown);
    assert.deepEqual(
      [...html.matchAll(/<a href="([^"]*)">(.*?)<\/a>/g)].map(([, href, text]) => [href, text]),
      [
        [linkPath('/w', `/w/${name}`, 1), 'a](b) &lt;c&gt; `d` #e &lt;U+202E&gt;f.ts'],
        [link, 'a](b) &lt;c&gt; `d` #e &lt;U+202E&gt;f.ts:2'],
      ],
    );
  });

  it('a link names exactly one file, whatever its name is', () => {
    // As VS Code's Markdown preview reads it.
    const followed = (link: string, folder: string): readonly [path: string, fragment: string] => {
      const [path = '', fragment = ''] = new MarkdownIt().normalizeLink(link).split('#');
      return [posix.join(folder, decodeURIComponent(path)), fragment];
    };
    assert.deepEqual(followed(linkPath('/w/one', '/w/two/a.ts', 3), '/w/one'), ['/w/two/a.ts', 'L3']);
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[/\0]|^\.\.?$/.test(text));
    const more = fc.constantFrom('a b', 'ä', '[1](2)', '#L9', '%20', '%', '?q', '<b>', "'", '"', '\\', '..a', 'https:');
    const file = fc
      .array(fc.oneof(name, more), { minLength: 1, maxLength: 4 })
      .map((names) => `/w/one/${names.join('/')}`);
    fc.assert(
      fc.property(file, fc.nat(), (path, line) => {
        const link = linkPath('/w/one', path, line);
        assert.match(link, /^\/[\w!'()*~.%/-]*#L\d+$/);
        assert.deepEqual(followed(link, '/w/one'), [path, `L${line}`]);
      }),
    );
  });

  it('escaped text renders to the same words', () => {
    const text = 'a_b *c* `d` <e> [f](g) #h |i| $j https://k //l.example mailto:m@n.example www.o.example';
    assert.equal(
      new MarkdownIt({ linkify: true }).renderInline(plain(text)),
      'a_b *c* `d` &lt;e&gt; [f](g) #h |i| $j https://k //l.example mailto:m@n.example www.o.example',
    );
  });
});
