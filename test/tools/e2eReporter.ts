import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { writeCount } from './counts.ts';

/** Leaves the figures of the end-to-end ring for the summary. A test that did not run is no success. */
class CountReporter implements Reporter {
  #passed = 0;
  #failed = 0;

  onTestEnd(_: TestCase, { status }: TestResult): void {
    if (status === 'passed') this.#passed += 1;
    else this.#failed += 1;
  }

  onEnd({ status }: FullResult): void {
    const broken = status === 'passed' || this.#failed > 0 ? 0 : 1;
    writeCount('e2e', { passed: this.#passed, failed: this.#failed + broken });
  }
}

// Playwright takes a reporter as a default export.
export default CountReporter;
