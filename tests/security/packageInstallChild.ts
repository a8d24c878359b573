// Installs a driver in a process of its own and stops for ever at a given point, so that a test can kill it there.
import { createPackageHost } from './packageHost.ts';

const [home = '', registryFile = '', at = ''] = process.argv.slice(2);
const host = await createPackageHost({ home, registryFile });

if (at === 'tryingOut') {
  host.trialLoader.behaviour = () => {
    process.send?.('here');
    return new Promise(() => setInterval(() => undefined, 60_000));
  };
} else {
  // Between the rename and the record. The message leaves before the thread stops: the channel is a pipe, written at once.
  host.installed.activate = () => {
    process.send?.('here');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
}
await host.install('tiny');
