import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { englishManifest, readTexts, sourceTexts } from '../../tools/l10n.ts';

/** Words that a newcomer stops at, each with the word to use. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\bpostures?\b/i, 'compliance settings'],
  [/\bwhat leaves\b|\bmay (?:not )?leave\b/i, 'preview, sent, excluded'],
  [/\blayers?\b/i, 'scope'],
  [/\b(?:nobody|somebody|whoever)\b/i, 'the user or the role'],
  [/\bpurged?\b/i, 'delete'],
  [/\bvouch/i, 'signed by a trusted authority'],
  [/\byour word\b/i, 'your approval'],
  [/\bbroke off\b|\bbreaks? off\b/i, 'was interrupted'],
  [/\b(?:one|none) of the Svc interface\b/i, 'unexpected response'],
  [/\ball the same\b/i, 'anyway'],
  [/\b(?:it|that|what|retention|policy|layer|scope|change|level|always) holds?\b/i, 'applies, is on'],
  [/\basked for by\b/i, 'set by'],
  [/\bcannot be told\b/i, 'is unclear'],
  [/\bread whole\b/i, 'read completely'],
  [/\b(?:goes?|go) along\b/i, 'is included'],
  [/\b(?:is|are) to (?:be|have)\b|\balike\b/i, 'must be, must have; both'],
  [/\bcontradict/i, 'reports different settings'],
  [/\binline completions?\b/i, 'inline suggestions'],
  [/\b(?:accept|reject) proposal\b/i, 'accept all changes'],
  [/\bmend\b/i, 'fix'],
  [/\b(?:says?|said)\b/i, 'the verb for what happens: shows, reports'],
  [/\bswitch(?:es|ed)? (?:on|off)\b/i, 'turn on, turn off'],
  [/\bown chat\b/i, 'VS Code chat'],
  [/\bcheck health\b|\bvalidate token\b|\bdiagnose connection\b/i, 'check service status, check API key, troubleshoot'],
];

/** Phrases that a comment of the sources does not have, each with a better one. */
const commentPhrases: readonly (readonly [RegExp, string])[] = [
  [/^(?:What|Who|Where|Why|Which|How (?:long|many|much|often)) [^?]*$/, 'the noun: The prefix of …, The reason why …'],
  [/^As for\b|\bas above\b|^The same (?:for|in|as|but|where|before|after)\b/, 'Like f(), but …, or the noun again'],
  [/[;:,] (?:absent|null|undefined|empty) where\b|\breturns? (?:null|false|undefined) where\b/, 'or null if …'],
  [/\bThrows [^.;]* where\b/, 'Throws … if …'],
  [/\babsent[:,]/i, 'If undefined, …'],
  [/\bmay (?:not )?leave\b|\bgo(?:es|ing)? along\b|\bin the way\b/, 'may be sent, is included, blocks'],
  [/\b(?:passing|lasting) (?:fault|error)s?\b/, 'transient error, permanent error'],
  [/\bmeanwhile\b/i, 'in the meantime, since then'],
  [/\banew\b|\bafresh\b|\bfor ever\b|\bno use\b/, 'again, forever, no point'],
  [/\bline ends?\b(?! with)/, 'line ending, line break'],
  [/\bsays? (?:so|nothing|that)\b/, 'states, contains'],
  [/\bstands? (?:in|once|beside|around|elsewhere)\b/, 'occurs in, is in'],
  [/\bof others\b/, 'third-party, untrusted, or the noun again'],
  [/\bcounts?(?=[.;:,]? (?:only|if|as|beside|in|unless)\b)|\bcounts[.;,:]/, 'is used, applies, wins, is treated as'],
  [/\banother \w+(?: \w+){0,3} than\b/, 'a different … from, other than'],
  [/\breplac(?:e[sd]?|ing)\b[^.,;:]* by\b/i, 'replace … with'],
  [/\bnothing of\b/i, 'no part of'],
  [/\bat once\b|\bonce more\b/i, 'immediately, at the same time; again'],
  [/: a reason to ask\b/, 'The user is asked if …'],
  [/(?:^|[.:] )(?:Empty|False|Null|Unchanged) (?:if|for)\b/, 'Returns an empty array if …, It is null if …'],
  [/\bReturns [^.;:]*; (?:null|undefined|empty|0) (?:if|for)\b/, '…, or null if …'],
  [
    /^The (?:(?:max|min)imum )?(?:time|size|length|duration|delay|interval|wait|pause)\b[^.:;]* (?:after|for|that|which)\b[^.:;]*, in (?:milliseconds|seconds|bytes|characters|UTF-16 units)\b/,
    'the unit beside its noun: The time in milliseconds after which …',
  ],
];

/** Phrases that the title of a test does not have: it is read alone, in the list of what failed. */
const titlePhrases: readonly (readonly [RegExp, string])[] = [
  [/^(?:of|that|and|as|at|above|around|also)\b/, 'a whole clause, with its subject'],
  [/\bmay (?:not )?leave\b|\bwhere nothing (?:else )?tells\b/, 'may be sent; if nothing shows …'],
  [/\banew\b|\bonce more\b/, 'again'],
  [/\bat once\b/, 'immediately, at the same time'],
  [/\banother \w+(?: \w+){0,3} than\b/, 'a different … from, other than'],
  [/\bnothing of (?:an? |the |it\b|th(?:is|ese)\b)/, 'no part of'],
  [/\bmeanwhile\b|\bline ends?\b(?! with)/, 'in the meantime; line ending'],
  [
    /\bbreaks? off\b|\btold apart\b|\bgoes on\b|\btext of others\b/,
    'is interrupted; distinguished; continues; third-party text',
  ],
];

/** The titles of the tests in a source file. */
function titlesOf(source: string): readonly string[] {
  return [...source.matchAll(/\b(?:it|test)\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g)].map(([, , title = '']) => title);
}

/** The comments that begin a line of a source file, each as one text. */
function commentsOf(source: string): readonly string[] {
  const found = source.match(/^[\t ]*\/\*[\s\S]*?\*\/|^(?:[\t ]*\/\/.*\n)+/gm) ?? [];
  return found.map((comment) =>
    comment
      .replace(/^[\t ]*(?:\/\*\*?|\*\/|\*(?!\/)|\/\/)|\*\/$/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

/** Where a user reads: each text, with its place. */
function* shownTexts(): Generator<readonly [place: string, text: string]> {
  for (const { text } of sourceTexts().texts) yield ['src', text];
  for (const [key, text] of Object.entries(readTexts(englishManifest))) yield [key, text];
  const pages = globSync(['*.md', 'docs/*.md', 'media/walkthrough/*.md', '.github/**/*.{md,yml}']);
  assert.ok(pages.includes('.github/pull_request_template.md'), 'the pages of a code host are read too');
  for (const page of pages) if (!page.includes('.nls.')) yield [page, readFileSync(page, 'utf8')];
}

describe('what a user reads', () => {
  it('has none of the words that a newcomer stops at', () => {
    const found = [...shownTexts()].flatMap(([place, text]) =>
      words.flatMap(([word, better]) =>
        text
          // Names of settings, commands and paths are code.
          .replace(/`[^`]*`|svc\.[\w.]+|\(command:[^)]*\)/g, '')
          .split('\n')
          .filter((line) => word.test(line))
          .map((line) => `${place}: ${line}\n  use: ${better}`),
      ),
    );
    assert.deepEqual(found, []);
  });

  it('calls the user the user, to models and administrators too', () => {
    // A person in a rule of a review is anyone whose data it is.
    const sources = globSync('src/**/*.{ts,tsx}').filter((file) => !/review[\\/]rules/.test(file));
    assert.ok(sources.length > 400);
    const files = [...sources, 'media/managed-policy.schema.json'];
    assert.deepEqual(
      files.filter((file) => /\bthe person\b/i.test(readFileSync(file, 'utf8'))),
      [],
    );
  });
});

describe('what a contributor reads', () => {
  it('is a comment that stands alone, in standard terms', () => {
    assert.deepEqual(commentsOf('/**\n * What is\n * kept.\n */\nconst a = 1; // x\n  // b\n  // c\n'), [
      'What is kept.',
      'b c',
    ]);
    assert.ok(commentPhrases.some(([phrase]) => phrase.test('What is kept.')));
    let count = 0;
    const found = globSync('{src,tools,test/service,test/tools}/**/*.{ts,tsx}').flatMap((file) =>
      commentsOf(readFileSync(file, 'utf8')).flatMap((comment) => {
        count += 1;
        return commentPhrases
          .filter(([phrase]) => phrase.test(comment))
          .map(([, better]) => `${file}: ${comment}\n  use: ${better}`);
      }),
    );
    assert.deepEqual(found, []);
    assert.ok(count > 5_000, `${count} comments`);
  });

  it('is the title of a test that can be understood without its file', () => {
    assert.deepEqual(titlesOf('it("is b", () => {});\ntest(\n  `is a`,\n'), ['is b', 'is a']);
    let count = 0;
    const found = globSync('test/**/*.{test,story}.ts').flatMap((file) =>
      titlesOf(readFileSync(file, 'utf8')).flatMap((title) => {
        count += 1;
        return titlePhrases
          .filter(([phrase]) => phrase.test(title))
          .map(([, better]) => `${file}: ${title}\n  use: ${better}`);
      }),
    );
    assert.deepEqual(found, []);
    assert.ok(count > 3_000, `${count} titles`);
  });
});
