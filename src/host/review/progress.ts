import * as vscode from 'vscode';

/** null where the person cancels before there is anything to show. */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: (message: string, increment: number) => void) => Promise<T>,
): Promise<T | null> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const controller = new AbortController();
    const listening = token.onCancellationRequested(() => controller.abort());
    try {
      return await work(controller.signal, (message, increment) => progress.report({ message, increment }));
    } catch (error) {
      if (controller.signal.aborted && error === controller.signal.reason) return null;
      throw error;
    } finally {
      listening.dispose();
    }
  });
}
