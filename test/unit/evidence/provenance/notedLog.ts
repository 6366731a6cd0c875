import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn } from '../../../../src/evidence/cli/git.ts';
import { exitCodeOf, wordsOf } from '../../../../src/evidence/cli/words.ts';
import { parsePolicy } from '../../../../src/evidence/policy.ts';
import { codeOf } from '../../../../src/evidence/provenance/lineKeys.ts';
import { type Verdict, verifyEvidence } from '../../../../src/evidence/verify/verify.ts';
import { EvidenceLog } from '../../../tools/evidenceLog.ts';
import { writeFiles } from '../folders.ts';
import { Bench, edited, text } from './bench.ts';
import { accepted, thirteen, uuidOf } from './samples.ts';

export const request = uuidOf(1);

/** A signed log in a folder, and a commit whose note names the record in it. */
export class NotedLog extends Bench {
  readonly log = mkdtempSync(join(tmpdir(), 'svc-log-'));
  readonly policy = join(this.log, 'policy.txt');
  commit1 = '';
  /** Its note as text. */
  note1 = '';
  made = new EvidenceLog('notes');

  async fill(change: object = {}, seed = 'notes'): Promise<void> {
    this.made = new EvidenceLog(seed).open();
    const session = this.made.session();
    session.record(3);
    const headers = [{ name: 'Svc-Zero-Retention', value: 'true', setBy: [{ layer: 'managed' }] }];
    const sent = { action: 'generate', origin: 'https://svc.example.com', model: 'svc/enterprise-coder-v1', headers };
    session.put({ kind: 'request-intent', request, ...sent });
    session.put({
      kind: 'request-outcome',
      request,
      outcome: 'completed',
      confirmation: 'confirmed',
      requestId: 'req_7',
    });
    const { accepted: edit, ...candidate } = accepted(uuidOf(1), thirteen);
    const code = codeOf(edit.tags);
    session.put({
      kind: 'code-accepted',
      request,
      edit: edit.edit,
      language: 'typescript',
      added: 13,
      removed: 0,
      code,
      ...change,
    });
    session.head();
    this.made.sign();
    writeFiles(join(this.log, 'audit'), this.made.files());
    writeFileSync(this.policy, `log ${this.made.signer.vkey}\nquorum none\n`);
    const place = { log: this.made.origin, session: session.id, seq: 7 };
    this.own = [{ ...candidate, accepted: { ...edit, ...place }, time: 0 }];
    const from = this.head;
    this.commit1 = this.write('src/pay.ts', text(edited));
    await this.note(from);
    this.note1 = this.git('notes', '--ref=ai', 'show', this.commit1).trimEnd();
  }

  /** Adds commits without changes, each with the note of the first. */
  addCommits(count: number): void {
    const by = 'committer A <a@example.com> 1700000000 +0000\ndata 1\nx\n';
    const note = `${this.note1}\n`;
    const commits = Array.from({ length: count }, (_, at) => {
      const from = at === 0 ? this.commit1 : `:${at}`;
      return `commit refs/heads/many\nmark :${at + 1}\n${by}from ${from}\n\n`;
    });
    const notes = commits.map((_, at) => `N inline :${at + 1}\ndata ${Buffer.byteLength(note)}\n${note}\n`);
    const input = `${commits.join('')}commit refs/notes/ai\n${by}from refs/notes/ai^0\n${notes.join('')}`;
    execFileSync('git', ['-C', this.folder, 'fast-import', '--quiet', '--force'], { input });
  }

  get args(): readonly string[] {
    return ['--trusted-keys', this.policy, '--repository', this.folder, join(this.log, 'audit')];
  }

  /** As verify.mjs does it. */
  async verify(): Promise<Verdict & { readonly code: number }> {
    const policy = parsePolicy(readFileSync(this.policy));
    const verdict = await verifyEvidence({ paths: [join(this.log, 'audit')], policy, git: await gitIn(this.folder) });
    assert.match(wordsOf(verdict, true), /^[\x20-\x7e\n]+$/);
    return { ...verdict, code: exitCodeOf(verdict) };
  }

  override [Symbol.dispose](): void {
    super[Symbol.dispose]();
    rmSync(this.log, { recursive: true, force: true });
  }
}
