import { homedir, userInfo } from 'node:os';

/**
 * The folder of the person who runs this process. Node's own `homedir` believes a HOME that is empty, and whatever is below it would be in the folder that the
 * process was started in.
 */
export function userFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const chosen = env['HOME'] ?? env['USERPROFILE'];
  if (chosen !== undefined && chosen !== '') return chosen;
  return homedir() === '' ? userInfo().homedir : homedir();
}
