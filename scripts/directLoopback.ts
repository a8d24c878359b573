/** Never reached through a proxy: what our programs and tests start listens here alone. */
const THIS_MACHINE = ['127.0.0.1', 'localhost', '::1'];

/**
 * Variables that keep requests on this machine away from a proxy. Where `NODE_USE_ENV_PROXY` has Node use the proxy of the environment, and always in npm, `NO_PROXY`
 * decides about addresses of this machine, too.
 *
 * @returns `NO_PROXY` in both spellings: Node reads the small one first
 */
export function directLoopback(env: NodeJS.ProcessEnv): { readonly NO_PROXY: string; readonly no_proxy: string } {
  const own = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').trim();
  const listed = own.split(/[,\s]+/).filter(Boolean);
  // Alone it means every host; in a list it is a name like any other.
  const direct = own === '*' ? own : [...listed, ...THIS_MACHINE.filter((host) => !listed.includes(host))].join(',');
  return { NO_PROXY: direct, no_proxy: direct };
}
