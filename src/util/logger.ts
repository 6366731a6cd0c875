/**
 * The logger of the folders below platform/. `info` is for lifecycle events; `debug` for the ID, status and duration of a
 * request; `trace` for the kinds and sizes of stream events. Never log a prompt, an answer, a key or a header value.
 */
export interface Logger {
  info(message: string): void;
  debug(message: string): void;
  trace(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
