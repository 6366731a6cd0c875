import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import {
  difference,
  englishManifest,
  germanBundle,
  germanManifest,
  readTexts,
  sourceTexts,
  type Texts,
} from '../../tools/l10n.ts';
import { textsOf } from '../../tools/l10nTexts.ts';

const { texts, problems } = sourceTexts();

function placeholders(text: string): readonly string[] {
  return [...text.matchAll(/\{\d+\}/g)].map(String).sort();
}

/** Links to commands, settings and code keep their names in every language. */
function fixedParts(text: string): readonly string[] {
  return [...text.matchAll(/\(command:[\w.]+\)|`[^`]+`/g)].map(String).sort();
}

function sameInBoth(english: Texts, german: Texts, parts: (text: string) => readonly string[]): void {
  for (const [key, text] of Object.entries(english)) {
    assert.deepEqual(parts(german[key] ?? ''), parts(text), key);
  }
}

/** The pages that the steps of the walkthrough show, by their names without an extension. */
function walkthroughPages(): readonly string[] {
  const names = readdirSync('media/walkthrough').filter((name) => !name.includes('.nls.'));
  return names.map((name) => name.replace(/\.md$/, ''));
}

describe('localized texts', () => {
  it('are literals, each with a value for every placeholder', () => {
    assert.deepEqual(problems, []);
    assert.ok(texts.length > 400, `${texts.length} texts`);
    for (const { text, at, values } of texts) {
      assert.deepEqual(
        new Set(placeholders(text)),
        new Set(Array.from({ length: values }, (_, index) => `{${index}}`)),
        at,
      );
    }
  });

  it('have a German translation, and no translation is unused (npm run l10n lists both)', () => {
    const german = readTexts(germanBundle);
    const wanted = texts.map(({ text }) => text);
    assert.deepEqual(difference(wanted, german), []);
    sameInBoth(Object.fromEntries(wanted.map((text) => [text, text])), german, placeholders);
    for (const [text, translated] of Object.entries(german)) assert.notEqual(translated.trim(), '', text);
  });

  it('no sentence ends with the dots of a command and a full stop', () => {
    const german = Object.values(readTexts(germanBundle));
    const all = [...texts.map(({ text }) => text), ...german, ...Object.values(readTexts(englishManifest))];
    assert.deepEqual(
      all.filter((text) => text.includes('….')),
      [],
    );
  });

  it('what a mode does fits the list of modes, which cuts longer lines off', () => {
    const german = readTexts(germanBundle);
    const details = texts.filter(({ at }) => at.includes('viewMode.ts')).map(({ text }) => text);
    assert.ok(details.length > 5);
    for (const text of details.flatMap((text) => [text, german[text] ?? ''])) assert.ok(text.length <= 98, text);
  });

  it('the texts of package.json have a German translation, with the same commands, settings and code', () => {
    const [english, german] = [readTexts(englishManifest), readTexts(germanManifest)];
    assert.deepEqual(difference(Object.keys(english), german), []);
    sameInBoth(english, german, fixedParts);
    for (const [key, translated] of Object.entries(german)) assert.notEqual(translated.trim(), '', key);
  });

  for (const page of walkthroughPages()) {
    it(`the walkthrough's ${page} has a German translation with the same headings, rows, headers and example`, () => {
      const [english, german] = [`${page}.md`, `${page}.nls.de.md`].map((name) =>
        readFileSync(`media/walkthrough/${name}`, 'utf8'),
      );
      const shape = (text = ''): readonly string[] => text.match(/^(#+|\||- |\d\. |```\w*)/gm) ?? [];
      const example = (text = ''): string => /```json\n[\s\S]*?```/.exec(text)?.[0] ?? '';
      const names = (text = ''): ReadonlySet<string> => new Set(text.match(/`(Svc-|svc\.|SVC_|\/|@)[^`]*`/g));
      assert.deepEqual(shape(german), shape(english));
      assert.equal(example(german), example(english));
      assert.deepEqual(names(german), names(english));
    });
  }
});

describe('the scanner of texts', () => {
  const scan = (source: string) => textsOf(`const t = vscode.l10n.t;\n${source}`, 'a.ts');

  it('finds calls, also in templates, and counts their values', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a source.
    const source = 't(\'It\\\'s {0}\', f(a, b)); `x ${t("two", [1, 2], { c }, )} y`; vscode.l10n.t("three");';
    assert.deepEqual(scan(source), {
      texts: [
        { text: "It's {0}", at: 'a.ts:2', values: 1 },
        { text: 'two', at: 'a.ts:2', values: 2 },
        { text: 'three', at: 'a.ts:2', values: 0 },
      ],
      problems: [],
    });
  });

  it('is not misled by comments, strings, templates, regular expressions and other functions', () => {
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is the text of a source.
    const source = [
      "// t('a')",
      "/* t('b') */ const c = \"t('c')\" + `t('d') \\` ${'`'}`;",
      "const e = text.replace(/[\\\\|`*/'<![\\]]/g, 'x') + a / b + \"t('f')\";",
      "other.t('g'); test('h'); got('i');",
      "t('found');",
    ].join('\n');
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is the text of a source.
    assert.deepEqual(scan(source), { texts: [{ text: 'found', at: 'a.ts:6', values: 0 }], problems: [] });
  });

  for (const call of ['t(name)', "t('a' + b)", 't(`a`)', "t('a' as const)", 't()', 't(...all)']) {
    it(`reports ${call}, which no bundle can contain`, () => {
      assert.deepEqual(scan(`${call};`).problems, ['a.ts:2: the first argument is one string literal']);
    });
  }

  it('reports other ways to call the function', () => {
    const { problems: found } = textsOf("const say = vscode.l10n.t;\nsay('hidden');", 'a.ts');
    assert.deepEqual(found, ['a.ts:1: l10n.t is called, or declared as "const t"']);
  });
});
