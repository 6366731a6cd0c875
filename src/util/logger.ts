/**
 * The logger of the folders below platform/. `info`, which VS Code shows by default, is for lifecycle events, and for the ID,
 * status and duration of a request; `debug` for what explains them; `trace` for the kinds and sizes of stream events. Never log a
 * prompt, an answer, a key or a header value.
 */
export interface Logger {
  info(message: string): void;
  debug(message: string): void;
  trace(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
