import { defineConfig } from '@playwright/test';
import { newest, oldest } from '../tools/vscodeParts.ts';
import type { WorkerOptions } from './fixtures.ts';

// Stories on the packaged VSIX in a real VS Code. One file a topic; each test has a workspace and a service of its own,
// and what the browser keeps; where it does not mind (`takesWindow`), it has the window of the one before. All are told
// in the newest VS Code, those of oldest.story.ts in the oldest that the manifest promises:
// `npm run e2e -- --project oldest`.
export default defineConfig<object, WorkerOptions>({
  testDir: './stories',
  testMatch: '*.story.ts',
  outputDir: '../../test-results/e2e',
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // The limits end what hangs. On a busy machine a story takes several times as long as on a quiet one.
  timeout: 300_000,
  expect: { timeout: 40_000 },
  projects: [
    { name: 'newest', testIgnore: 'oldest.story.ts', use: { vscodeVersion: newest } },
    { name: 'oldest', testMatch: 'oldest.story.ts', use: { vscodeVersion: oldest } },
  ],
  reporter: [['list'], ['../tools/e2eReporter.ts']],
});
