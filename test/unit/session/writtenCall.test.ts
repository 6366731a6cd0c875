import assert from 'node:assert/strict';
import { hasWrittenCall } from '../../../src/session/tools/writtenCall.ts';

const call = '{"name":"read_file","arguments":{"path":"a.ts"}}';

describe('a tool call that is text of the answer', () => {
  for (const answer of [
    `<tool_call>\n${call}\n</tool_call>`,
    `I look.\n\n<tool_call>${call}`,
    `[TOOL_CALLS][${call}]`,
    '<function=read_file>\n<parameter=path>a.ts</parameter>\n</function>',
    '<function_calls>\n<invoke name="read_file">',
    '<invoke name="read_file">',
    '<|python_tag|>read_file.call(path="a.ts")',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file',
    '<|tool_calls_section_begin|>',
    '<|tool_call_begin|>functions.read_file:0',
    '<|tool_call|>',
    '<|channel|>commentary to=functions.read_file',
    call,
    `\n${call}\n`,
    '{"name": "read_file", "parameters": {"path": "a.ts"}}',
    `\`\`\`ts\nx\n\`\`\`\n<tool_call>\n${call}`,
  ]) {
    it(`is ${JSON.stringify(answer.slice(0, 50))}`, () => assert.ok(hasWrittenCall(answer)));
  }

  for (const answer of [
    '',
    'Text',
    'Qwen writes `<tool_call>` around a call.',
    `\`\`\`xml\n<tool_call>\n${call}\n</tool_call>\n\`\`\``,
    `~~~~\n~~~\n<tool_call>\n~~~~`,
    `\`\`\`\n<tool_call>`,
    '{"name":"Ann","age":7}',
    '{"name":"read_file","arguments":null}',
    '{"name":"a name with blanks","arguments":{}}',
    '{"name":',
    `The call is ${call}`,
    `${'x'.repeat(100_001)}\n<tool_call>`,
  ]) {
    it(`is not ${JSON.stringify(answer.slice(0, 50))}`, () => assert.ok(!hasWrittenCall(answer)));
  }
});
