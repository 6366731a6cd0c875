import type { FullResult, Reporter, Suite, TestCase, TestStep } from '@playwright/test/reporter';
import { writeCount } from './counts.ts';

/** Writes the figures of the end-to-end ring for the summary. A story that was skipped or needed a retry has not passed. */
class CountReporter implements Reporter {
  #suite: Suite | undefined;

  onBegin(_: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  onEnd({ status }: FullResult): void {
    const stories = this.#suite?.allTests() ?? [];
    const passed = stories.filter((story) => story.outcome() === 'expected');
    const failures = stories
      .filter((story) => story.outcome() !== 'expected')
      .map((story) => ({ title: story.titlePath().filter(Boolean).join(' › '), message: messageOf(story) }));
    const isBroken = status !== 'passed' && failures.length === 0;
    if (isBroken) failures.push({ title: 'the run of the stories', message: `Its status is ${status}.` });
    writeCount('e2e', { passed: passed.length, failures });
  }
}

/** The errors, the reason of a timeout among them, and the steps in which they happened. */
function messageOf(story: TestCase): string {
  const errors = story.results.flatMap((result) => result.errors.map((error) => error.stack ?? error.message ?? ''));
  const steps = story.results.flatMap((result) => failedSteps(result.steps));
  if (errors.length === 0) return `The outcome is ${story.outcome()}.`;
  return [...errors, ...(steps.length === 0 ? [] : [`in ${steps.join(' › ')}`])].join('\n');
}

function failedSteps(steps: readonly TestStep[]): readonly string[] {
  const failed = steps.find((step) => step.error !== undefined);
  return failed === undefined ? [] : [failed.title, ...failedSteps(failed.steps)];
}

// Playwright requires a reporter as default export.
export default CountReporter;
