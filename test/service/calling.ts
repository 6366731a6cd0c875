import type { RawAnswer } from './scenarioQueue.ts';

/** An answer that calls one tool. */
export function calling(id: string, name: string, input: object): RawAnswer {
  return (response) => {
    const called = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [called] } }] })}\n\n`);
    response.write('data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n');
    response.end('data: [DONE]\n\n');
  };
}
