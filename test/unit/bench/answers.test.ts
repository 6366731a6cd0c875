import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, languages, type Place, replaced, ways } from '../../bench/answers/corpus.ts';
import { ownFolder, readAnswers, readPlaces, readProjects } from '../../bench/answers/read.ts';

const projects = new Map(readProjects().map((project) => [project.name, project]));
const places = readPlaces();
const answers = [...readAnswers('first'), ...readAnswers('later')];

/** The text of a file of the corpus before code is asked for; undefined for one of a package, which is not here. */
function textOf({ project }: Place, path: string): string | undefined {
  const file = join(ownFolder(project), path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function isInOrder(replacements: readonly { readonly start: number; readonly end: number }[]): boolean {
  return replacements.every(({ start, end }, index) => start <= end && start >= (replacements[index - 1]?.end ?? 0));
}

describe('the corpus of answers', () => {
  it('names its packages with version and SHA-256', () => {
    for (const { name, package: from, files = {} } of projects.values()) {
      if (from === undefined) assert.ok(existsSync(ownFolder(name)), name);
      else {
        assert.match(from.version, /^\d+\.\d+\.\d+$/, name);
        assert.match(from.sha256, /^[0-9a-f]{64}$/, name);
        assert.ok(Object.keys(files).length > 0, name);
      }
    }
  });

  it('has places of each way in each language that has it', () => {
    assert.equal(new Set(places.map(({ id }) => id)).size, places.length);
    assert.ok(places.length >= 100, `${places.length} places`);
    // Neither SQL nor YAML has tests.
    const hasNone = (way: string, language: string): boolean => way.startsWith('tests') && /sql|yaml/.test(language);
    for (const way of ways) {
      for (const language of languages) {
        const has = places.some((place) => place.way === way && place.language === language);
        assert.equal(has, !hasNone(way, language), `${way} in ${language}`);
      }
    }
  });

  it('has places in files that exist', () => {
    for (const place of places) {
      const { id, project, file, attached = [], changes = [] } = place;
      const of = projects.get(project);
      assert.ok(of !== undefined, id);
      for (const path of [file, ...attached]) {
        assert.ok(of.files?.[path] !== undefined || textOf(place, path) !== undefined, `${id}: ${path}`);
      }
      assert.ok(isInOrder(changes), id);
    }
  });

  it('has places inside their files', () => {
    for (const place of places) {
      const text = textOf(place, place.file);
      if (text === undefined) continue;
      const lines = replaced(text, place.changes ?? []).split('\n');
      for (const [start, end] of place.selections ?? []) assert.ok(start < end && end <= lines.length, place.id);
      for (const { line } of place.problems ?? []) assert.ok(line >= 1 && line <= lines.length, place.id);
      if (place.cursor !== undefined) assert.equal(lines[place.cursor.line]?.length, place.cursor.character, place.id);
    }
  });

  it('has answers with a place, a text and what they mean', () => {
    assert.equal(new Set(answers.map(({ id }) => id)).size, answers.length);
    for (const { id, place: at, hand, answer, meant } of answers) {
      const place = places.find((one) => one.id === at);
      assert.ok(place !== undefined, `answer ${id}`);
      assert.ok(hand >= 1 && answer.trim() !== '', `answer ${id}`);
      const path = place.creates ?? place.file;
      const isNew = place.creates !== undefined && !hasFile(place, path);
      if (place.way === 'commit' || isNew) assert.ok(typeof meant === 'string' && meant.trim() !== '', `answer ${id}`);
      else assert.ok(typeof meant !== 'string' && applies(place, path, meant), `answer ${id}`);
    }
  });
});

function hasFile(place: Place, path: string): boolean {
  return projects.get(place.project)?.files?.[path] !== undefined || textOf(place, path) !== undefined;
}

/** Whether the changes are in order and, for a file that is here, inside it and changes. */
function applies(place: Place, path: string, meant: Exclude<Answer['meant'], string>): boolean {
  const text = textOf(place, path);
  if (text === undefined) return isInOrder(meant);
  const before = path === place.file ? replaced(text, place.changes ?? []) : text;
  const lines = before.split('\n');
  return (
    isInOrder(meant) &&
    meant.every(({ start, end, lines: now }) => {
      const old = lines.slice(start, end);
      return end <= lines.length && old.join('\n') !== now.join('\n');
    })
  );
}
