import { once } from 'node:events';
import type { Socket } from 'node:net';

/** Waits for a socket to be connected; destroys it when it fails, or is not wanted any more. */
export async function whenConnected(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  try {
    await once(socket, event, { signal });
  } catch (error) {
    socket.on('error', () => undefined);
    socket.destroy();
    throw error;
  }
}
