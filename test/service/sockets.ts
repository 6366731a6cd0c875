import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Counts a server's connections, and can end all of them: a stalled stream must not block close(). */
export class Sockets {
  readonly #open = new Set<Socket>();
  #waiting: (() => void)[] = [];
  #seen = 0;

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#seen += 1;
      this.#open.add(socket);
      socket.once('close', () => {
        this.#open.delete(socket);
        if (this.#open.size === 0) for (const wake of this.#waiting.splice(0)) wake();
      });
    });
  }

  get open(): number {
    return this.#open.size;
  }

  /** Connections ever accepted. */
  get seen(): number {
    return this.#seen;
  }

  waitForNone(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
