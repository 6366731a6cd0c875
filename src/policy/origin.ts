/** Whether a key may be sent to a URL: only over HTTPS, or over HTTP to this machine. */
export function mayReceiveKey({ protocol, hostname }: URL): boolean {
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback);
}
