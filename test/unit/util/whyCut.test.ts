import assert from 'node:assert/strict';
import { ToolCallAssembler } from '../../../src/client/answer/toolCalls.ts';
import { readAnswer } from '../../../src/review/answer/readAnswer.ts';
import { isEmpty } from '../../../src/session/turnSteps.ts';
import { isServiceError } from '../../../src/util/errors.ts';
import { type Cut, whyCut } from '../../../src/util/whyCut.ts';
import { turnOf } from '../../tools/turns.ts';

describe('why an answer was cut off', () => {
  const table: Readonly<Record<Cut | 'whole', readonly (string | undefined)[]>> = {
    length: [
      'length',
      'LENGTH',
      'max_tokens',
      'MAX_TOKENS',
      'max_output_tokens',
      'model_length',
      'MAX_LENGTH',
      'max-tokens',
    ],
    filter: ['content_filter', 'content-filter', 'SAFETY', 'safety', 'RECITATION', 'guardrail_intervened', 'refusal'],
    other: [
      ...[
        'error',
        'network_error',
        'abort',
        'cancelled',
        'canceled',
        'timeout',
        'insufficient_system_resource',
        'OTHER',
      ],
      ...[
        'MALFORMED_FUNCTION_CALL',
        'tool_calls_missing',
        'stream_end',
        'unstop',
        'stopped_early',
        'pause_turn',
        'done?!x',
      ],
    ],
    whole: [
      ...[
        'stop',
        'STOP',
        'stop_sequence',
        'unknown',
        'tool_calls',
        'function_call',
        'tool_use',
        'end_turn',
        'eos_token',
      ],
      ...['COMPLETE', '', undefined],
    ],
  };

  for (const [cut, reasons] of Object.entries(table)) {
    for (const finishReason of reasons) {
      it(`is the same everywhere for ${finishReason}: ${cut}`, () => {
        assert.equal(whyCut(finishReason) ?? 'whole', cut);
        const { problems } = readAnswer('{"findings":[]}', { rules: [], names: [], finishReason });
        assert.deepEqual(
          problems,
          { length: ['truncated'], filter: ['refused'], other: ['truncated'], whole: [] }[cut],
        );
        const calls = new ToolCallAssembler();
        calls.push([{ index: 0, id: 'a', function: { name: 'read', arguments: '{"path":"a' } }]);
        // Half a call is a cut by itself where the service gave no reason.
        const ofCall = finishReason === undefined ? 'other' : cut;
        assert.throws(
          () => calls.take(finishReason),
          (error) => isServiceError(error) && error.kind === 'protocol' && (error.details.cut ?? 'whole') === ofCall,
        );
        assert.equal(isEmpty(turnOf({ finishReason })), cut === 'whole' || cut === 'other');
      });
    }
  }
});
