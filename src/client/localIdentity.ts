import { homedir, userInfo } from 'node:os';
import type { Private } from '../util/redact.ts';

/** Whose machine this is; for taking it out of what leaves. */
export function localIdentity(): Pick<Private, 'home' | 'user'> {
  return { home: homedir(), user: userName() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no entry.
    return '';
  }
}
