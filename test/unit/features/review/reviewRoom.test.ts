import assert from 'node:assert/strict';
import { roomFor } from '../../../../src/features/review/vscode/room.ts';
import { resolveRequestOptions } from '../../../../src/policy/requestOptions.ts';
import { reviewInstructions } from '../../../../src/review/prompt.ts';
import { bytesPerToken } from '../../../../src/send/budget/tokens.ts';
import { user } from '../../policy/layers.ts';

const instructions = reviewInstructions(['pci-dss']);
const roomWith = (settings: Record<string, unknown>) => {
  const resolved = resolveRequestOptions([user(settings)], 'svc.model.review');
  assert.ok(resolved.ok);
  return roomFor(resolved.options, instructions);
};

describe('the room for files in a request of a review', () => {
  it('has no bound unless the settings name what the model reads', () => {
    assert.equal(roomWith({}).declared, Number.POSITIVE_INFINITY);
    assert.equal(roomWith({ 'svc.context.windows': ['other/*=4000'] }).declared, Number.POSITIVE_INFINITY);
    assert.ok(roomWith({ 'svc.context.windows': ['svc/*=32000'] }).declared < 32_000 * bytesPerToken);
  });

  it('leaves room for the instructions and the answer', () => {
    const { declared, of } = roomWith({ 'svc.context.windows': ['svc/*=4000'] });
    assert.equal(declared, of(4000));
    assert.ok((declared + instructions.length) / bytesPerToken <= 3000, String(declared));
    const withLongAnswer = roomWith({ 'svc.request.maxTokens': 2000 });
    assert.ok(withLongAnswer.of(4000) < of(4000));
  });

  it('is never so small that a model could not judge its pieces', () => {
    assert.equal(roomWith({}).of(1024), 1000);
    assert.equal(roomWith({ 'svc.request.maxTokens': 100_000 }).of(4000), 1000);
  });
});
