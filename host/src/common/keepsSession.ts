import type { ConnectionInput, SavedConnection } from './connection.ts';

/** Whether an edited connection reaches the same server in the same way, so that its open session and what a window shows of it can stay. */
export function keepsSession(before: SavedConnection, input: ConnectionInput): boolean {
  const fields = new Set([...Object.keys(before.settings), ...Object.keys(input.settings)]);
  return (
    before.driver === input.driver &&
    Object.keys(input.secrets).length === 0 &&
    [...fields].every((field) => before.settings[field] === input.settings[field])
  );
}
