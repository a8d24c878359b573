import { execFileSync } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Application } from './application.ts';
import type { Fixture } from './fixture.ts';

/** Whether this machine can have one; `npm test` has tried, and names what is not run. */
export const hasSmallDisks = process.env['TABULARIUM_TESTS_WITHOUT_MOUNTS'] !== '1';

/** A disk of its own for the home of an application, which a test can fill. Mounting needs root on Linux, as CI has it. */
export class SmallDisk implements AsyncDisposable {
  readonly #application: Application;
  readonly #page: Page;
  readonly #filler: string;

  /** Starts the application again on the disk, and opens its window there. */
  static async mount({ application, page }: Pick<Fixture, 'application' | 'page'>): Promise<SmallDisk> {
    const { home, files } = application;
    await application.stopHost('SIGTERM');
    const copy = join(files, 'home');
    await cp(home, copy, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m,mode=0700', 'tmpfs', home]);
    const disk = new SmallDisk(application, page);
    await cp(copy, home, { recursive: true });
    await rm(copy, { recursive: true });
    await application.startHost();
    await page.goto(application.ui);
    return disk;
  }

  private constructor(application: Application, page: Page) {
    this.#application = application;
    this.#page = page;
    this.#filler = join(application.home, 'logs', 'filler.log');
  }

  /** The last few kilobytes as well: a change that still fits would be saved. */
  fill(): void {
    execFileSync('sh', ['-c', 'dd if=/dev/zero of="$1" bs=64k; dd if=/dev/zero bs=512 >> "$1"; true', 'sh', this.#filler], {
      stdio: 'ignore',
    });
  }

  async free(): Promise<void> {
    await rm(this.#filler);
  }

  /** Starts the application on the old disk, as it was before, and opens its window there: its session was kept on the disk that is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#application.stopHost('SIGTERM');
    execFileSync('umount', ['-l', this.#application.home]);
    await this.#application.startHost();
    await this.#page.goto(this.#application.ui);
  }
}
