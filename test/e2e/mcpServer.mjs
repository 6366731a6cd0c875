// An MCP server with one tool, as a workspace's .vscode/mcp.json starts it: messages of JSON-RPC, one a line.
import { createInterface } from 'node:readline';

const tool = {
  name: 'docs_search',
  description: 'Searches the documentation.',
  inputSchema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
};

/** @type {Readonly<Record<string, (params: any) => object>>} */
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'docs', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { query } }) => ({ content: [{ type: 'text', text: `Documented: ${query}` }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  // Notifications have no identifier and get no answer.
  if (id === undefined) continue;
  const known = methods[method];
  const reply =
    known === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result: known(params) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
}
