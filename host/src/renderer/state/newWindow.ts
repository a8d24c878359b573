import { desktop } from './desktop.ts';
import { strings } from '../i18n/index.ts';
import { windowAddress } from './windowState.ts';

/** Why another window cannot be opened, where it cannot. */
export function newWindowRefusal(): string | undefined {
  const shell = desktop();
  return shell !== undefined && shell.newWindow === undefined ? strings.shell.noWindows : undefined;
}

/** Opens another window of this application, with a workspace of its own. */
export function openNewWindow(connectionId?: string): void {
  const shell = desktop();
  if (shell !== undefined) {
    shell.newWindow?.(connectionId);
    return;
  }
  // Without an opener the new window gets no copy of what this one keeps for itself; then the browser does not say whether it opened.
  window.open(windowAddress(connectionId), '_blank', 'noopener');
}
