import { existsSync } from 'node:fs';
import { onPath } from './onPath.ts';

/** Not on the path of everybody. */
const USUAL = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'];

/** The SSH server that tests start on a free port; undefined where there is none, or nothing that makes keys for it. */
export function findSshd(): string | undefined {
  if (process.platform !== 'linux' || onPath('ssh-keygen') === undefined) return undefined;
  return onPath('sshd') ?? USUAL.find((file) => existsSync(file));
}
