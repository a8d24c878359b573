import 'reflect-metadata';
import { join } from 'node:path';
import { startDesktopHost } from '../cli/desktopHost.ts';
import { hostPackage } from '../runtime/program/hostPackage.ts';
import { runTransport } from './transport.ts';

// Not awaited: Electron becomes ready only after its main module has been evaluated.
void runTransport({
  startHost: (shell) => startDesktopHost(process.env, shell),
  preload: join(hostPackage().folder, 'dist', 'electron', 'preload.cjs'),
});
