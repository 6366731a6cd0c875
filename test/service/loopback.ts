/** Whether a host to listen on is the loopback interface. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/** Throws for every other host, because the service's key is printed in its documentation. */
export function assertLoopback(host: string): void {
  if (isLoopback(host)) return;
  throw new Error(
    `The local service binds to loopback only (127.0.0.1, ::1 or localhost), not to ${host}: its key is public.`,
  );
}
