import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import type { Scanner } from './gate.ts';

const rules = [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }];

/** secretlint with its recommended rules, as its own command runs them. */
export const peerScanner: Scanner = {
  async scanText(content) {
    const source = { content, filePath: 'text.txt', ext: '.txt', contentType: 'text' as const };
    return (await lintSource({ source, options: { config: { rules } } })).messages;
  },
};
