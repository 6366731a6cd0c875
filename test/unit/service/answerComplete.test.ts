import assert from 'node:assert/strict';
import { quote } from '../../../src/send/message/quote.ts';
import { completionParts } from '../../../src/session/inline/complete.ts';
import { cursorMark } from '../../../src/session/inline/place.ts';

import { answerFor } from '../../service/answer.ts';
import { attachment } from '../session/attachment.ts';

function complete(before: string, after = '', languageId = 'typescript'): string {
  const parts = completionParts(attachment({ languageId, text: `${before}${cursorMark}${after}` }));
  const content = parts.map((part) => (typeof part === 'string' ? part : quote(part))).join('\n\n');
  return answerFor({ model: 'svc/enterprise-coder-v1', messages: [{ role: 'user', content }], svcHeaders: [] });
}

describe('local service: completing', () => {
  it('continues a function that it knows by name', () => {
    const answer = complete('export function factorial');
    assert.match(answer, /^\(/);
    assert.match(answer, /return/);
  });
  it('continues in Python too', () => assert.match(complete('def factorial(', '', 'python'), /return/));
  it('closes what is open', () => assert.equal(complete('add([1, 2'), '])'));
  it('identifies itself if it has no completion', () => assert.match(complete('\n'), /rules of the local service/));
});
