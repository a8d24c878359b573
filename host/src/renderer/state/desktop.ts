import type { DesktopBridge } from '../../common/desktop.ts';

declare global {
  interface Window {
    /** In the desktop shell alone. */
    readonly desktop?: DesktopBridge;
  }
}

/** The desktop shell, where the window is in one. */
export function desktop(): DesktopBridge | undefined {
  return typeof window === 'undefined' ? undefined : window.desktop;
}
