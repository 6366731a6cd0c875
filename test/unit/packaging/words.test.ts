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
