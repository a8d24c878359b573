/** Loopback never goes through a proxy, whatever the environment says: the local registry is on this machine. */
export function noProxy(): string {
  const configured = process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? '';
  return [configured, '127.0.0.1', 'localhost', '::1'].filter((entry) => entry !== '').join(',');
}
