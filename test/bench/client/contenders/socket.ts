import { connect } from 'node:net';
import { apiKey, type Contender, question } from '../contender.ts';

/** The request's bytes into a socket and the answer's out of it: the time of the network and the server. */
export function open(baseUrl: string): Contender {
  const { hostname, port, pathname } = new URL(`${baseUrl}/chat/completions`);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  return {
    async chat(model, onFirst) {
      const body = JSON.stringify({ model, messages: [{ role: 'user', content: question }], stream: true });
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${apiKey}\r\n` +
          `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      let length = 0;
      let tail = '';
      await new Promise<void>((resolve) => {
        const read = (bytes: Buffer): void => {
          if (length === 0) onFirst();
          length += bytes.length;
          tail = (tail + bytes.subarray(-5).toString('latin1')).slice(-5);
          if (tail !== '0\r\n\r\n') return;
          socket.off('data', read);
          resolve();
        };
        socket.on('data', read);
      });
      return length;
    },
    async close() {
      socket.destroy();
    },
  };
}
