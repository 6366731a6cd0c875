import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { newest, oldest } from '../tools/vscodeParts.ts';
import type { WorkerOptions } from './fixtures.ts';

// Stories for the packaged VSIX in a real VS Code. One file per topic. Each test has its own workspace, service and
// browser data; with `takesWindow` it reuses the window of the previous test. All run in the newest VS Code, except
// oldest.story.ts, which runs in the oldest that the manifest supports: `npm run e2e -- --project oldest`.
export default defineConfig<object, WorkerOptions>({
  testDir: './stories',
  testMatch: '*.story.ts',
  outputDir: '../../test-results/e2e',
  // Each worker has a VS Code, a browser and a service: about a core and 1.5 GB.
  workers: Math.min(6, Math.max(2, availableParallelism())),
  retries: 0,
  forbidOnly: true,
  // The limits end tests that hang. On a busy machine a story takes several times as long as on an idle one.
  timeout: 300_000,
  expect: { timeout: 40_000 },
  // A click or a wait that never ends would take the whole time of the story, and nobody would know which it was.
  use: { actionTimeout: 100_000, navigationTimeout: 120_000 },
  projects: [
    { name: 'newest', testIgnore: 'oldest.story.ts', use: { vscodeVersion: newest } },
    { name: 'oldest', testMatch: 'oldest.story.ts', use: { vscodeVersion: oldest } },
  ],
  reporter: [['list'], ['../tools/e2eReporter.ts']],
});
