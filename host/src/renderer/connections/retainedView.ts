import type { ConnectionInput, SavedConnection } from '../../common/connection.ts';
import { keepsSession } from '../../common/keepsSession.ts';

/**
 * The part of an open connection's view that still holds after the connection was edited: all of it, what a person has typed in it (the server is the
 * same, under another credential), or the names of its tabs.
 */
export type RetainedView = 'whole' | 'typed' | 'tabs';

export function retainedView(before: SavedConnection, input: ConnectionInput): RetainedView {
  // Read-only mode changes what the window offers, so the connection is drawn again.
  if ((before.access.readOnly ?? false) !== (input.access.readOnly ?? false)) return 'tabs';
  if (keepsSession(before, input)) return 'whole';
  return keepsSession(before, { ...input, secrets: {} }) ? 'typed' : 'tabs';
}
