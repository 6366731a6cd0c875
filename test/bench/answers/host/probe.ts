// Runs in the extension host: asks for the code of each job and writes what became of the answers to the file that
// SVC_BENCH_RESULTS names.
import { readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { OwnParts } from '../../../integration/suite/ownParts.ts';
import { key } from '../../../integration/suite/stage.ts';
import { type LocalService, startService } from '../../../service/service.ts';
import { replaced } from '../corpus.ts';
import { applied } from './apply.ts';
import { askAt, refuse } from './ask.ts';
import type { Job, JobResult, Jobs, Outcome } from './jobs.ts';
import { pressing } from './questions.ts';
import { Taken } from './taken.ts';
import { documentWith, lay, textBefore } from './workspace.ts';

/** More buttons than any question has, and Escape. */
const mostButtons = 3;

/** The answers to the first request and to those after it. */
let answers: readonly [first: string, second: string] = ['', ''];

export async function run(): Promise<void> {
  const results = await all().catch((error: Error) => ({ error: String(error.stack) }));
  writeFileSync(process.env.SVC_BENCH_RESULTS ?? '', JSON.stringify(results));
}

async function all(): Promise<{ readonly results: readonly JobResult[] }> {
  const { projects, jobs }: Jobs = JSON.parse(readFileSync(process.env.SVC_BENCH_ANSWERS ?? '', 'utf8'));
  const service: LocalService = await startService({
    keys: [key],
    answer: () => (service.chats.length > 1 ? answers[1] : answers[0]),
  });
  const settings = vscode.workspace.getConfiguration();
  const set = (name: string, value: unknown): Thenable<void> =>
    settings.update(name, value, vscode.ConfigurationTarget.Global);
  await set('svc.baseUrl', service.baseUrl);
  // The problems are those of the places.
  await set('typescript.validate.enable', false);
  const results: JobResult[] = [];
  let laid = '';
  try {
    for (const job of jobs) {
      const { project } = job.place;
      const files = projects[project] ?? {};
      if (laid !== project) await lay(files);
      laid = project;
      writeFileSync(`${process.env.SVC_BENCH_RESULTS}.now`, `answer ${job.id}, ${job.place.id}`);
      results.push(await runJob(job, files, service));
      if (job.place.changes !== undefined || job.answer !== null) await restore(job, files);
    }
  } finally {
    await service.close();
  }
  return { results };
}

async function restore({ place }: Job, files: Readonly<Record<string, string>>): Promise<void> {
  await documentWith(place.file, files[place.file] ?? '');
}

async function runJob(job: Job, files: Readonly<Record<string, string>>, service: LocalService): Promise<JobResult> {
  const { id, place } = job;
  const before = writtenBefore(place, files);
  const first = job.answer ?? 'None.\n';
  answers = [first, job.second ?? first];
  const outcomes: Outcome[] = [];
  let request = '';
  let further = '';
  for (let button = 0; button < mostButtons; button += 1) {
    service.clear();
    const outcome = await outcomeOf(job, files, button);
    request ||= messagesIn(service, 0);
    further ||= messagesIn(service, 1);
    outcomes.push({ ...outcome, requests: service.chats.length });
    if (outcome.questions.length === 0 || job.answer === null) break;
  }
  return { id, request, further, before, outcomes: job.answer === null ? [] : outcomes };
}

async function outcomeOf(
  { place }: Job,
  files: Readonly<Record<string, string>>,
  button: number,
): Promise<Omit<Outcome, 'requests'>> {
  const before = textBefore(place, files);
  const document = await documentWith(place.file, before);
  const own = new OwnParts();
  const taken = new Taken();
  let done: Pick<Outcome, 'placed' | 'refusal'> = { placed: null, refusal: '' };
  const seen = await pressing(button, async (seen) => {
    const propose = {
      dispatch: own.dispatch,
      proposals: taken as never,
      confirmSend: refuse,
      instructions: { near: async () => [] },
    };
    const asked = await askAt(place, document, { own, propose, files });
    if (asked.is === 'turn') done = await applied({ turn: asked.turn, path: place.creates ?? place.file, own, seen });
    else if (asked.is === 'text') done = textPlaced(asked.text, place, before);
    else done = { placed: taken.proposed, refusal: asked.result.ok ? '' : (asked.result.error?.code ?? 'refused') };
  });
  await own.client.dispose();
  // Of several blocks, some may be placed and others refused.
  const said = [done.refusal, ...seen.errors, ...(done.placed === null ? seen.messages : [])];
  const refusal = said.filter((one) => one !== '').join(' | ');
  return { placed: done.placed, refusal, questions: seen.questions };
}

/** A completion in its document; a commit message as it is. */
function textPlaced(
  text: string,
  { way, file, cursor }: Job['place'],
  before: string,
): Pick<Outcome, 'placed' | 'refusal'> {
  if (text === '') return { placed: null, refusal: 'nothing' };
  if (way !== 'inline' || cursor === undefined) return { placed: { path: '', text }, refusal: '' };
  const line = before.split('\n')[cursor.line] ?? '';
  const whole = `${line.slice(0, cursor.character)}${text}${line.slice(cursor.character)}`;
  const changed = replaced(before, [{ start: cursor.line, end: cursor.line + 1, lines: whole.split('\n') }]);
  return { placed: { path: file, text: changed }, refusal: '' };
}

/** The text of the file that is written, before: of a new one, nothing. */
function writtenBefore(place: Job['place'], files: Readonly<Record<string, string>>): string {
  return place.creates === undefined ? textBefore(place, files) : (files[place.creates] ?? '');
}

function messagesIn({ chats }: LocalService, index: number): string {
  const body = chats[index]?.json as {
    readonly messages?: readonly { readonly role: string; readonly content: string }[];
  };
  return (body?.messages ?? []).map(({ role, content }) => `=== ${role}\n${content}\n`).join('\n');
}
