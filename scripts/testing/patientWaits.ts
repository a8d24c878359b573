import { vi } from 'vitest';

/** Milliseconds that a test waits for something, unless it says otherwise. */
const PATIENCE = 30_000;

// A setup file. Vitest lets `expect.poll` be configured, but not these two, which give up after a second: too early on a busy machine.
const { waitFor, waitUntil } = vi;

const patient = <T extends { readonly timeout?: number }>(options: number | T | undefined): number | T =>
  typeof options === 'number' ? options : ({ timeout: PATIENCE, ...options } as T);

vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
