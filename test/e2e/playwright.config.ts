import { defineConfig } from '@playwright/test';

// Stories on the packaged VSIX in a real VS Code. One file a topic; each test has a VS Code, a service and a browser
// context of its own.
export default defineConfig({
  testDir: './stories',
  testMatch: '*.story.ts',
  outputDir: '../../test-results/e2e',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['../tools/e2eReporter.ts']],
});
