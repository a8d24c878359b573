import 'reflect-metadata';
import { join } from 'node:path';
import { hostPackage } from '../runtime/hostPackage.ts';
import { runCarrier } from './carrier.ts';
import { startHost } from './startHost.ts';

// Not awaited: Electron becomes ready only after its main module has been evaluated.
void runCarrier({
  startHost: () => startHost(process.env),
  preload: join(hostPackage().folder, 'dist', 'electron', 'preload.cjs'),
});
