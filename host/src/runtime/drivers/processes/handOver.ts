import type { ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';
import { DELIVERY_TAKEN } from '../../../driver-launcher/driverDelivery.ts';

/**
 * Gives a driver to a process that has waited for one.
 *
 * @param delivery - the bytes, which ask for an acknowledgement
 * @param patience - milliseconds
 * @returns whether it has the driver. It has run no code of it until then: where this is false, another process can be tried
 */
export async function handOver(child: ChildProcess, delivery: Uint8Array, patience: number): Promise<boolean> {
  const stream = child.stdio[3];
  if (!(stream instanceof Duplex)) return false;
  const taken = Promise.withResolvers<boolean>();
  const fail = (): void => taken.resolve(false);
  const listen = (): void => {
    // The first byte alone: what follows belongs to the wire.
    const answer = stream.read(1) as Buffer | null;
    if (answer !== null) taken.resolve(answer[0] === DELIVERY_TAKEN);
  };
  const timer = setTimeout(fail, patience);
  child.once('exit', fail);
  stream.on('readable', listen).once('close', fail).once('end', fail);
  if (child.exitCode !== null || child.signalCode !== null || stream.destroyed) fail();
  else stream.write(delivery);
  try {
    return await taken.promise;
  } finally {
    clearTimeout(timer);
    child.off('exit', fail);
    stream.off('readable', listen).off('close', fail).off('end', fail);
  }
}
