/** Whether a key may be sent to a URL: only over HTTPS, or over HTTP to this machine. */
export function mayReceiveKey({ protocol, hostname }: URL): boolean {
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback);
}

/** Whether a value is the origin of an address that a key may be sent to, written exactly so. */
export function isOrigin(value: unknown): value is string {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && mayReceiveKey(url) && url.origin === value;
}
