import type { FullResult, Reporter, Suite } from '@playwright/test/reporter';
import { writeCount } from './counts.ts';

/**
 * Writes the figures of the end-to-end ring for the summary. A story that was skipped or needed a retry does not count
 * as passed.
 */
class CountReporter implements Reporter {
  #suite: Suite | undefined;

  onBegin(_: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  onEnd({ status }: FullResult): void {
    const stories = this.#suite?.allTests() ?? [];
    const passed = stories.filter((story) => story.outcome() === 'expected');
    const failed = stories.length - passed.length;
    const broken = status === 'passed' || failed > 0 ? 0 : 1;
    writeCount('e2e', { passed: passed.length, failed: failed + broken });
  }
}

// Playwright requires a reporter as default export.
export default CountReporter;
