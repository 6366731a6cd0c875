import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { build } from 'esbuild';
import { findBrowser } from '../../tools/browser.ts';
import { measureInHost } from '../inHost.ts';
import { type Answer, languages, type Place, ways } from './corpus.ts';
import type { Job, JobResult, Jobs } from './host/jobs.ts';
import { judge, meantBy, tokensOf, type Verdict, verdicts } from './judge.ts';
import { filesOf } from './projects.ts';
import { readAnswers, readPlaces, readProjects } from './read.ts';

const folder = resolve('test-results/bench/answers');

/** The least share that is right, and the most that are refused and wrong, in percent. */
const limits = { right: 95, refused: 2, wrong: 0 };

export interface AnswersOptions {
  readonly check: boolean;
  readonly set?: string | undefined;
  readonly only?: string | undefined;
  readonly requests?: string | undefined;
}

/**
 * Places each answer of the corpus through the extension's own functions in VS Code, and prints how many become the
 * text that is meant, by way and by language. With `requests`, writes the request of each place instead, and the file
 * before, into that folder. Returns the exit code.
 */
export async function answersBench({ check, set = 'first', only, requests }: AnswersOptions): Promise<number> {
  const isWanted = ({ id, way, language }: Place): boolean => new RegExp(only ?? '').test(`${way} ${language} ${id}`);
  const places = new Map(readPlaces().map((place) => [place.id, place]));
  if (requests !== undefined) {
    const jobs = [...places.values()].filter(isWanted).map((place, id) => ({ id, place, answer: null, second: null }));
    writeRequests(jobs, await resultsOf(jobs), requests);
    return 0;
  }
  if (set !== 'first' && set !== 'later') throw new Error(`There is no set ${set}.`);
  const answers = readAnswers(set).filter(({ place }) => isWanted(placeOf(places, place)));
  const jobs = answers.map(({ id, place, answer, second = null }) => ({
    ...{ id, answer, second },
    place: placeOf(places, place),
  }));
  const results = new Map((await resultsOf(jobs)).map((result) => [result.id, result]));
  const judged = answers.map((answer) => {
    const place = placeOf(places, answer.place);
    const result = results.get(answer.id);
    if (result === undefined) throw new Error(`Answer ${answer.id} has no result.`);
    return { answer, place, result, verdict: judge(result, answer, place) };
  });
  print(judged);
  writeJudged(judged);
  const isMet = isWithinLimits(judged.map(({ verdict }) => verdict));
  return check && !isMet ? 1 : 0;
}

function placeOf(places: ReadonlyMap<string, Place>, id: string): Place {
  const place = places.get(id);
  if (place === undefined) throw new Error(`There is no place ${id}.`);
  return place;
}

/** Those of one project one after the other: the workspace is laid once for them. */
async function resultsOf(jobs: readonly Job[]): Promise<readonly JobResult[]> {
  const used = new Set(jobs.map(({ place }) => place.project));
  const projects = readProjects().filter(({ name }) => used.has(name));
  const asked: Jobs = {
    projects: Object.fromEntries(projects.map((one) => [one.name, filesOf(one, join(folder, 'packages'))])),
    jobs: [...jobs].sort((a, b) => a.place.project.localeCompare(b.place.project)),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'jobs.json'), JSON.stringify(asked));
  await buildProbe();
  packageIfNeeded();
  const browser = await chromium.launch(await findBrowser());
  try {
    const found = await measureInHost(browser, {
      probe: join(folder, 'probe'),
      env: { SVC_BENCH_ANSWERS: join(folder, 'jobs.json') },
      limitMs: 180_000 + jobs.length * 5_000,
    });
    return (found as { readonly results: readonly JobResult[] }).results;
  } finally {
    await browser.close();
  }
}

/** The probe has the sources themselves in it: of the package, only the manifest is read. */
function packageIfNeeded(): void {
  const contributes = (path: string): string =>
    existsSync(path) ? JSON.stringify(JSON.parse(readFileSync(path, 'utf8')).contributes) : '';
  if (contributes('dist/vsix/package.json') === contributes('package.json')) return;
  execFileSync('npm', ['run', '--silent', 'package'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function buildProbe(): Promise<void> {
  await build({
    entryPoints: ['test/bench/answers/host/probe.ts'],
    outfile: join(folder, 'probe/probe.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    external: ['vscode'],
    logLevel: 'error',
  });
  const manifest = { name: 'answers', publisher: 'bench', version: '0.0.1', engines: { vscode: '^1.110.0' } };
  writeFileSync(join(folder, 'probe/package.json'), JSON.stringify(manifest));
}

function writeRequests(jobs: readonly Job[], results: readonly JobResult[], target: string): void {
  for (const { id, request, before } of results) {
    const place = jobs.find((job) => job.id === id)?.place;
    const own = join(target, place?.id ?? '');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'request.txt'), request);
    writeFileSync(join(own, 'before.txt'), before);
  }
  console.log(`${results.length} requests are in ${target}.`);
}

interface Judged {
  readonly answer: Answer;
  readonly place: Place;
  readonly result: JobResult;
  readonly verdict: Verdict;
}

function print(judged: readonly Judged[]): void {
  const row = (name: string, some: readonly Judged[]) => {
    const count = (wanted: Verdict): number => some.filter(({ verdict }) => verdict === wanted).length;
    const tokens = some.reduce((sum, { answer }) => sum + tokensOf(answer.answer), 0);
    return {
      '': name,
      answers: some.length,
      right: count('right'),
      'after another request': count('further'),
      'after a question': count('asked'),
      refused: count('refused'),
      wrong: count('wrong'),
      'right, %': some.length === 0 ? '' : percent(count('right') + count('further'), some.length),
      'tokens each': Math.round(tokens / Math.max(1, some.length)),
    };
  };
  console.table(
    ways.map((way) =>
      row(
        way,
        judged.filter(({ place }) => place.way === way),
      ),
    ),
  );
  console.table(
    languages.map((language) =>
      row(
        language,
        judged.filter(({ place }) => place.language === language),
      ),
    ),
  );
  console.table([row('all', judged)]);
}

function percent(part: number, whole: number): string {
  return ((100 * part) / whole).toFixed(1);
}

function isWithinLimits(all: readonly Verdict[]): boolean {
  const share = (wanted: Verdict): number =>
    (100 * all.filter((verdict) => verdict === wanted).length) / Math.max(1, all.length);
  const right = share('right') + share('further');
  const isMet = right >= limits.right && share('refused') <= limits.refused && share('wrong') <= limits.wrong;
  const words = `right without a question at least ${limits.right} %, refused at most ${limits.refused} %, wrong ${limits.wrong}`;
  console.log(`${words}: ${isMet ? 'met' : 'MISSED'}`);
  return isMet;
}

/** Every answer that was not placed right, with what was placed and what was meant, to look at. */
function writeJudged(judged: readonly Judged[]): void {
  for (const verdict of verdicts) rmSync(join(folder, verdict), { recursive: true, force: true });
  const lines = judged.map(({ answer, place, verdict, result }) => {
    const why = result.outcomes.map(({ refusal, questions }) =>
      [refusal, ...questions.map(({ message }) => `? ${message}`)].filter((one) => one !== '').join(' '),
    );
    const path = result.outcomes[0]?.placed?.path;
    const where = path === undefined || path === meantBy(answer, place, '').path ? '' : ` in ${path}`;
    return `${String(answer.id).padStart(3, '0')} ${verdict} ${place.id} hand ${answer.hand}${where} ${why[0] ?? ''}`;
  });
  writeFileSync(join(folder, 'verdicts.txt'), `${lines.join('\n')}\n`);
  for (const { answer, place, result, verdict } of judged) {
    if (verdict === 'right') continue;
    const own = join(folder, verdict, String(answer.id));
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'before'), result.before);
    writeFileSync(join(own, 'request'), result.request);
    writeFileSync(join(own, 'further'), result.further);
    writeFileSync(join(own, 'answer.md'), answer.answer);
    writeFileSync(join(own, 'meant'), meantBy(answer, place, result.before).text);
    for (const [index, { placed }] of result.outcomes.entries())
      if (placed !== null) writeFileSync(join(own, `placed-${index}`), placed.text);
  }
  console.log(
    `Each verdict is in ${join(folder, 'verdicts.txt')}, and the files of the others beside it: ${verdicts.slice(1).join(', ')}.`,
  );
}
