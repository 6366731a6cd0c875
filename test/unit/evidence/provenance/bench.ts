import assert from 'node:assert/strict';
import { tagAt, tagOf, withoutSpace } from '../../../../src/evidence/provenance/lineKeys.ts';
import { commitsBetween } from '../../../../src/evidence/provenance/repository/commits.ts';
import { type NotedCommit, noteCommits } from '../../../../src/evidence/provenance/repository/noteCommits.ts';
import { readNotes } from '../../../../src/evidence/provenance/repository/notes.ts';
import type { Git } from '../../../../src/evidence/provenance/repository/objects.ts';
import { type CommittedEdit, editsIn } from '../../../../src/evidence/provenance/svcEdits.ts';
import { runGit } from '../../../../src/platform/git/run.ts';
import { Repository } from '../../platform/git/repository.ts';
import { accepted, thirteen, uuidOf } from './samples.ts';

/** A repository with a first commit, and what a window does after each change of HEAD. */
export class Bench extends Repository {
  readonly ask: Git = (args, input) => runGit(this.place, args, input);
  own = [{ ...accepted(uuidOf(1), thirteen), time: 0 }];

  constructor(first = 'first\n') {
    super();
    this.write('a.ts', first);
  }

  get head(): string {
    return this.git('rev-parse', 'HEAD').trim();
  }

  write(name: string, text: string): string {
    this.put(name, text);
    this.commit();
    return this.head;
  }

  /** Writes the notes of what is in HEAD and was not in `from`. */
  async note(from: string, own = this.own): Promise<readonly NotedCommit[]> {
    const commits = await commitsBetween(this.ask, this.head, from, 100);
    const replaced = (await commitsBetween(this.ask, from, this.head, 100)).map(({ oid }) => oid).reverse();
    return noteCommits({ git: this.ask, commits, replaced, own });
  }

  async edits(oid = this.head): Promise<readonly CommittedEdit[]> {
    const [read] = await readNotes(this.ask, [oid]);
    return read?.ok === true ? editsIn(read.note).edits : [];
  }

  /** The texts that the note of a commit names; each is what its key proves. */
  async named(oid = this.head): Promise<readonly string[]> {
    return (await this.edits(oid)).flatMap(({ path, lines, tags }) => {
      const text = this.git('show', `${oid}:${path}`).split('\n');
      return lines.map(({ number, index, key }) => {
        const line = text[number - 1] ?? '';
        assert.deepEqual(tagAt(tags, index), tagOf(key, withoutSpace(line)), line);
        return line;
      });
    });
  }
}

/** Two of the thirteen lines changed, and three added by hand. */
export const edited = [
  ...thirteen.toSpliced(1, 1, '  let cents = start;').toSpliced(10, 1, '  const sum = cents + fee + 1;'),
  '',
  'log(1);',
  'log(2);',
];
/** What is left of them. */
export const eleven = thirteen.filter((_, index) => index !== 1 && index !== 10);
export const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;
