import * as vscode from 'vscode';

/** Runs work with a signal that aborts when VS Code's token is cancelled or the work calls `cancel`. */
export async function withSignal<T>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal, cancel: () => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const cancel = (): void => controller.abort();
  const listening = token.onCancellationRequested(cancel);
  if (token.isCancellationRequested) cancel();
  try {
    return await work(controller.signal, cancel);
  } finally {
    listening.dispose();
  }
}

/** Runs work with a token that is cancelled when the signal aborts. */
export async function withToken<T>(
  signal: AbortSignal,
  work: (token: vscode.CancellationToken) => Thenable<T>,
): Promise<T> {
  const source = new vscode.CancellationTokenSource();
  const onAbort = (): void => source.cancel();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await work(source.token);
  } finally {
    signal.removeEventListener('abort', onAbort);
    source.dispose();
  }
}
