import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Application } from '../e2e/application.ts';
import type { CuttableProxy } from './cuttableProxy.ts';

/** Milliseconds after a disturbance in which work may still fail: sessions are opened again, and a driver is started no more than once a second. */
const AFTERMATH = 20_000;

/** A running application and the disturbances that it meets. */
export class SoakWorld {
  readonly application: Application;
  readonly proxy: CuttableProxy;
  /** The name of the connection. */
  readonly connection = 'Soak';
  /** Ends the soak. */
  readonly signal: AbortSignal;
  /** A token of full access. */
  readonly token: string;
  #lastDisturbance = Number.NEGATIVE_INFINITY;

  constructor(application: Application, proxy: CuttableProxy, token: string, signal: AbortSignal) {
    this.application = application;
    this.proxy = proxy;
    this.token = token;
    this.signal = signal;
  }

  /** The file with the numbers of the driver processes. */
  get pidFile(): string {
    return join(this.application.home, 'cache', 'driver-processes.json');
  }

  disturb(): void {
    this.#lastDisturbance = performance.now();
  }

  /** @param began - when the work did, by `performance.now()` */
  wasDisturbedSince(began: number): boolean {
    return this.proxy.isCut || this.#lastDisturbance + AFTERMATH > began;
  }

  /** The lines of a file of this run. */
  async linesOf(name: string): Promise<number> {
    const text = await readFile(join(this.application.files, name), 'utf8');
    return text.split('\n').length - 1;
  }
}
