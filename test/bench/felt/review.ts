import { planReview, type ReviewTarget } from '../../../src/features/review/vscode/plan.ts';
import { runReview } from '../../../src/features/review/vscode/run.ts';
import { madeContent } from '../../../src/gate/content.ts';
import { settings } from '../../../src/policy/settings.ts';
import { startService } from '../../service/service.ts';
import { median } from '../client/median.ts';
import { apiKey, localDispatch } from '../localDispatch.ts';
import type { Row } from './run.ts';

const files = 40;
/** About twice as fast as a service that users have: only the ratios count. */
const pace = { firstTokenMs: 1_200, tokensPerSecond: 160 };

function target(at: number): ReviewTarget {
  const uri = `file:///w/src/file${at}.ts`;
  const text = `export function run${at}(text) {\n  return eval(text);\n}\n`;
  return {
    ...{ name: `src/file${at}.ts`, uri, languageId: 'typescript' },
    content: madeContent(text, [], [{ uri, folder: 'file:///w' }]),
  };
}

interface Times {
  readonly first: number;
  readonly all: number;
}

/** The milliseconds to the first finding of a review, and to its end. */
async function timesOf(count: number): Promise<Times> {
  const service = await startService({ keys: [apiKey], ...pace });
  const { dispatch, dispose } = localDispatch(service.baseUrl);
  const parallel = settings['svc.review.parallel'].default;
  try {
    const plan = planReview(
      Array.from({ length: count }, (_, at) => target(at)),
      [],
      { parallel },
    );
    const from = performance.now();
    let first = 0;
    const { findings } = await runReview(plan, {
      ...{ dispatch, ask: async () => 'send-masked', frameworks: ['pci-dss'], parallel },
      signal: new AbortController().signal,
      onFound: (found) => {
        if (found.findings.length > 0 && first === 0) first = performance.now() - from;
      },
    });
    if (findings.length < count) throw new Error(`${findings.length} findings in ${count} files`);
    return { first, all: performance.now() - from };
  } finally {
    await dispose();
    await service.close();
  }
}

/** When a review of 40 small files shows its first finding, and all of them, beside a review of one file. */
export async function reviewRows(rounds: number): Promise<readonly Row[]> {
  const times: Record<'one' | 'first' | 'all', number[]> = { one: [], first: [], all: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.one.push((await timesOf(1)).all);
    const { first, all } = await timesOf(files);
    times.first.push(first);
    times.all.push(all);
  }
  const one = median(times.one);
  const row = (what: string, ms: number, most: number): Row => ({
    what: `a review of ${files} small files: ${what}`,
    measured: `${ms.toFixed(0)} ms`,
    peer: 'one request about one of them',
    reference: `${one.toFixed(0)} ms`,
    ratio: ms / one,
    limit: `at most ${most} x`,
    isMet: ms <= most * one,
  });
  return [row('the first finding', median(times.first), 1.3), row('all findings', median(times.all), 4)];
}
