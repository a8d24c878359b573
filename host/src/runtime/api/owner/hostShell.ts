import type { HostHealth } from '../../../common/hostHealth.ts';
import type { ShownWindow } from '../../../common/hostWindow.ts';

/** The process around the runtime: requests that only its owner can make. */
export interface HostShell {
  /** `command`: the runtime ends with the command that started it. */
  readonly lifetime: 'host' | 'command';
  /** Whether the host can be used. Absent: it can as soon as it answers. */
  health?(): HostHealth;
  /** A new address for the window; undefined for a host without one. */
  newWindowUrl(): string | undefined;
  /** Starts the MCP server where it is enabled and does not run. Absent for a command that runs the runtime itself. */
  ensureMcp?(): Promise<void>;
  /**
   * Ends the hidden mode of a host that was started for the bridge, and says where its window is; undefined for one that is not hidden. A host
   * with a shell of its own brings its window to the front, and has no address for it.
   */
  showHidden?(): ShownWindow | undefined;
}
