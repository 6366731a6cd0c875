import type { FullResult, Reporter, Suite } from '@playwright/test/reporter';
import { writeCount } from './counts.ts';

/**
 * Leaves the figures of the end-to-end ring for the summary. A story that did not run is no success; one that passed at
 * its second try is, and is named, so that nobody overlooks it.
 */
class CountReporter implements Reporter {
  #suite: Suite | undefined;

  onBegin(_: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  onEnd({ status }: FullResult): void {
    const stories = this.#suite?.allTests() ?? [];
    const passed = stories.filter((story) => story.outcome() === 'expected' || story.outcome() === 'flaky');
    for (const story of passed) {
      if (story.outcome() === 'flaky') console.log(`FLAKY: passed at its second try: ${story.titlePath().join(' › ')}`);
    }
    const failed = stories.length - passed.length;
    const broken = status === 'passed' || failed > 0 ? 0 : 1;
    writeCount('e2e', { passed: passed.length, failed: failed + broken });
  }
}

// Playwright takes a reporter as a default export.
export default CountReporter;
