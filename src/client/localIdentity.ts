import { homedir, userInfo } from 'node:os';
import type { Private } from '../util/text/redact.ts';

/** The home folder and user name of this machine, to be removed from outgoing content. */
export function localIdentity(): Pick<Private, 'home' | 'user'> {
  return { home: homedir(), user: accountName() };
}

/** The name of the account of the operating system; empty if it has none. */
export function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no entry in the list of users.
    return '';
  }
}
