import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { SDK_CONTRACT, WIRE_VERSION } from '@tabularium/sdk';
import { WireConnection } from '@tabularium/sdk/protocol';
import { DELIVERED, REHEARSED } from '../driver-launcher/driverDelivery.ts';
import { loadDriver } from './loadDriver.ts';
import { readDelivery } from './readDelivery.ts';
import { rehearse } from './rehearse.ts';
import { confine } from './sandbox/confine.ts';
import { DeliveredPlace, readablePlace } from './sandbox/driverPlace.ts';
import { fixMethods } from './sandbox/intrinsics.ts';
import { DriverSessions } from './driverSessions.ts';

// The program inside a driver's process. It is started under Node's permission model and with an empty environment, and speaks to the host
// alone, over descriptor 3. Its arguments are the path of the driver's entry, the driver's id and what it was granted beyond the sandbox; or
// that the driver will be delivered over descriptor 3, which may be long after the start.

const WIRE_DESCRIPTOR = 3;
const EXIT_FAULT = 70;

// Taken now: the driver's code may replace it.
const exit: (code: number) => never = process.exit.bind(process);
const write = writeSync;

function die(what: string, error: unknown): never {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  try {
    write(2, `${what}: ${text.slice(0, 4_000)}\n`);
  } catch {
    // The log has no reader any more, so the error is dropped.
  }
  exit(EXIT_FAULT);
}

process.on('uncaughtException', (error) => die('Uncaught exception', error));
process.on('unhandledRejection', (reason) => die('Unhandled rejection', reason));

/** Confines the process and resolves its driver: from the arguments, or when it is delivered. */
function placed(): { readonly entry: string; readonly id: string } {
  const [entry, id, granted = ''] = process.argv.slice(2);
  if (entry === DELIVERED) {
    const place = new DeliveredPlace();
    const admit = confine(place, []);
    const driver = readDelivery(WIRE_DESCRIPTOR) ?? exit(0);
    place.deliver(driver.folder, driver.files);
    admit(driver.secret);
    return { entry: `${driver.folder}/${driver.entry}`, id: driver.id };
  }
  if (entry === undefined || id === undefined)
    throw new Error(`Usage: driver-process <entry of the driver> <id of the driver> [grants], or driver-process ${DELIVERED}`);
  // Asked for here and not imported: a process whose driver is delivered does without it, and it takes long to load.
  const secret = process.getBuiltinModule('node:crypto').randomUUID();
  confine(readablePlace(process.cwd()), granted.split(','))(secret);
  return { entry, id };
}

async function main(): Promise<void> {
  // Before the process is confined: afterwards only a driver's code may begin anything.
  if (process.argv[2] === DELIVERED && process.argv[3] === REHEARSED) await rehearse();
  const { entry, id } = placed();
  // Half open: else Node replaces the stream's write when the host has closed its end, and every method of it is fixed.
  const stream = new Socket({ fd: WIRE_DESCRIPTOR, readable: true, writable: true, allowHalfOpen: true });
  fixMethods(stream);
  const loaded = await loadDriver(entry, id);
  const sessions = new DriverSessions(id, loaded.ok ? loaded.driver : undefined, (request) => wire.request(request));
  const wire: WireConnection = new WireConnection({
    side: 'driver',
    stream,
    serve: (request) => sessions.serve(request),
    // Without its host a driver has nothing to do.
    onEnd: () => exit(0),
  });
  wire.sendReady(
    loaded.ok
      ? { wire: WIRE_VERSION, contract: loaded.driver.contract, driver: loaded.driver.definition.id }
      : { wire: WIRE_VERSION, contract: SDK_CONTRACT, problem: loaded.problem },
  );
}

main().catch((error: unknown) => die('The driver process did not start', error));
