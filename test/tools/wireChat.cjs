// For programs that have only the client's bundle: a streamed chat request like that of src/client/wireRequest.ts.
exports.wireChat = (baseUrl, model) => ({
  method: 'POST',
  path: '/chat/completions',
  url: `${baseUrl}/chat/completions`,
  headers: [
    ['User-Agent', 'svc-coder/test'],
    ['Accept', 'text/event-stream, application/json'],
    ['Accept-Encoding', 'gzip, br'],
    ['Content-Type', 'application/json'],
  ],
  body: JSON.stringify({ model, messages: [], stream: true }),
  isStreamed: true,
});
