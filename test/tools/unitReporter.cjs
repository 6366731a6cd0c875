// The spec reporter with less output: only the names of failures, and the figures for the summary.
const { mkdirSync, writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

class UnitReporter extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const failures = this.failures.map((test) => ({ title: test.fullTitle(), message: String(test.err?.stack) }));
      mkdirSync('test-results/counts', { recursive: true });
      writeFileSync('test-results/counts/unit.json', JSON.stringify({ passed: this.stats.passes, failures }));
    });
  }
}

module.exports = UnitReporter;
