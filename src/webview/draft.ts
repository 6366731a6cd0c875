import type { Posture } from '../protocol/messages.ts';

/**
 * Whether an unsent message may be kept in the webview's state, which VS Code writes to disk. Not under zero
 * retention, and not where the policy is unknown or does not resolve: it may be asking for just that.
 */
export function mayKeepDraft(posture: Posture | undefined): boolean {
  if (posture === undefined || posture.problems.length > 0) return false;
  return !posture.headers.some(
    ({ name, value }) => name.toLowerCase() === 'svc-zero-retention' && value.trim().toLowerCase() === 'true',
  );
}

/** The draft in what getState() returned, which may be anything an older version left. */
export function draftIn(saved: unknown): string {
  if (typeof saved !== 'object' || saved === null || !('draft' in saved)) return '';
  return typeof saved.draft === 'string' ? saved.draft : '';
}
