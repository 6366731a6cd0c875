import { homedir, userInfo } from 'node:os';
import type { Private } from '../util/text/redact.ts';

/** The home folder and user name of this machine, to be removed from outgoing content. */
export function localIdentity(): Pick<Private, 'home' | 'user'> {
  return { home: homedir(), user: userName() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no entry in the list of users.
    return '';
  }
}
