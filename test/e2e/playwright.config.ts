import { defineConfig } from '@playwright/test';

// Stories on the packaged VSIX in a real VS Code. One file a topic; each test has a VS Code, a service and a browser
// context of its own.
export default defineConfig({
  testDir: './stories',
  testMatch: '*.story.ts',
  outputDir: '../../test-results/e2e',
  fullyParallel: true,
  workers: 2,
  // A machine that others share may take the time a story waits for; one that fails twice has failed.
  retries: process.env.CI === undefined ? 0 : 1,
  forbidOnly: true,
  timeout: 150_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['../tools/e2eReporter.ts']],
});
