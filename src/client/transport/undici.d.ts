/**
 * undici is imported by file: its index writes globalThis[Symbol.for('undici.globalDispatcher.1'|'.2')], which is Node's own
 * fetch dispatcher and is shared by all extensions of the host. Its types cover only the index, so the files are declared
 * here.
 */
declare module 'undici/lib/dispatcher/pool.js' {
  import type { Pool } from 'undici';

  const pool: typeof Pool;
  export = pool;
}

declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net';
  import type { buildConnector } from 'undici';

  /** Unlike the published type it returns the socket, which our own connect limit needs. */
  type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket;
  const build: (options: buildConnector.BuildOptions) => Connect;
  export = build;
}

declare module 'undici/lib/dispatcher/client.js' {
  import type { Client } from 'undici';

  const client: typeof Client;
  export = client;
}
