import type { RawAnswer } from '../service/scenarioQueue.ts';

/** An answer of the service with exactly this text, for the next request. */
export function saying(text: string): RawAnswer {
  const chunk = (choice: object): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-said', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`;
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      `${chunk({ delta: { role: 'assistant', content: text }, finish_reason: null })}${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`,
    );
  };
}
