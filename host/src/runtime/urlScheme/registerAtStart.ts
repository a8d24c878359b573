import { realpath } from 'node:fs/promises';
import { resolveHome } from '../storage/home.ts';
import { isRegisteredFor, registerUrlScheme } from './registerUrlScheme.ts';
import type { RegisterOptions } from './registerUrlScheme.ts';

/**
 * Registers a host that starts for the addresses of our scheme, if it is the one that clients mean: its data directory is the usual one, or the one that is
 * registered. One in another data directory, such as a trial, takes nothing over unless `TABULARIUM_REGISTER_URL` is `always`; with `never` none does.
 */
export async function registerAtStart(options: RegisterOptions): Promise<void> {
  const { env, platform, handler } = options;
  const wanted = env['TABULARIUM_REGISTER_URL'];
  if (wanted === 'never') return;
  const usual = resolveHome({ ...env, TABULARIUM_HOME: undefined }, platform);
  // The data directory of a host is its real path.
  const isUsual = handler.home === usual || handler.home === (await realpath(usual).catch(() => usual));
  if (isUsual || wanted === 'always' || (await isRegisteredFor(env, handler.home))) await registerUrlScheme(options);
}
