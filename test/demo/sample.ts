// The sample workspace of the demo: a git repository of its own with two commits and a change that is not committed.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of the last state, without those that are made here. */
const source = fileURLToPath(new URL('workspace', import.meta.url));

interface Commit {
  readonly subject: string;
  readonly date: string;
  /** Files and folders; empty: everything that git does not ignore. */
  readonly paths: readonly string[];
}

const commits: readonly Commit[] = [
  {
    subject: 'Cards and a ledger',
    date: '2026-03-02T09:30:00+00:00',
    paths: ['README.md', 'AGENTS.md', '.gitignore', '.svcignore', '.vscode', 'data', 'src/card.ts', 'src/ledger.py'],
  },
  { subject: 'Charges, installments, statements and tests', date: '2026-03-04T16:10:00+00:00', paths: [] },
];

/** The change that is not committed: a line of a file in its last state, and the same line before. */
export const uncommitted = {
  file: 'src/charge.ts',
  changed: /^ {2}if \(!answer\.ok\) console\.error.*$/m,
  committed: "  if (!answer.ok) throw new Error('The charge failed.');",
} as const;

const author = { name: 'Svc Coder demo', email: 'demo@example.com' };

/** Creates the workspace, unless it is there. A user's changes to it are kept. */
export function makeSample(workspace: string): void {
  if (existsSync(workspace)) return;
  const made = mkdtempSync(join(dirname(workspace), 'making-'));
  try {
    cpSync(source, made, { recursive: true });
    writeFileSync(join(made, '.env'), environmentFile());
    writeFileSync(join(made, 'src', 'rates.ts'), ratesFile());
    const file = join(made, uncommitted.file);
    const last = readFileSync(file, 'utf8');
    if (!uncommitted.changed.test(last)) throw new Error(`${uncommitted.file} does not contain the change.`);
    writeFileSync(file, last.replace(uncommitted.changed, uncommitted.committed));
    git(made, ['init', '--quiet', '--initial-branch=main', '--template=']);
    for (const { subject, date, paths } of commits) {
      git(made, ['add', '--', ...(paths.length === 0 ? ['.'] : paths)]);
      git(made, ['commit', '--quiet', '--no-verify', '--no-gpg-sign', `--message=${subject}`], date);
    }
    writeFileSync(file, last);
    // The whole repository appears in one step: an interrupted start leaves no half workspace.
    renameSync(made, workspace);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Runs git without the user's configuration: no hook, no signature, no ignored files, no other line ends. */
function git(folder: string, args: readonly string[], date?: string): void {
  const foreign = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = {
    ...Object.fromEntries(foreign),
    GIT_CONFIG_NOSYSTEM: '1',
    // Where git looks for the user's configuration.
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
    ...(date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }),
  };
  try {
    execFileSync('git', args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error('The demo needs git, which is not installed.');
    throw error;
  }
}

/** Fake secrets. They are put together here, so that scanners for secrets find none in this repository. */
function environmentFile(): string {
  const key = ['sk', 'live', '51DemoDemoDemo0123456789abcd'].join('_');
  const password = ['correct', 'horse', 'battery'].join('-');
  return [
    '# Not real. Svc Coder never sends this file.',
    `ACQUIRER_API_KEY=${key}`,
    `DATABASE_URL=postgres://payments:${password}@127.0.0.1/payments`,
    '',
  ].join('\n');
}

/** A long file of 170 kB: to attach a part of it, and to see what a large attachment costs. */
function ratesFile(): string {
  const dayMs = 86_400_000;
  const lines = Array.from({ length: 4_000 }, (_, index) => {
    const day = new Date(Date.UTC(2015, 0, 1) + index * dayMs).toISOString().slice(0, 10);
    const rate = 1.1 + Math.sin(index / 90) / 10 + Math.sin(index / 7) / 100;
    return `  { day: '${day}', dollars: ${rate.toFixed(4)} },`;
  });
  return [
    'export interface Rate {',
    '  readonly day: string;',
    '  /** What one euro costs. */',
    '  readonly dollars: number;',
    '}',
    '',
    'export const rates: readonly Rate[] = [',
    ...lines,
    '];',
    '',
    '/** The rate of a day, or the last one before it. */',
    'export function rateOf(day: string): number | undefined {',
    '  return rates.findLast((rate) => rate.day <= day)?.dollars;',
    '}',
    '',
  ].join('\n');
}
