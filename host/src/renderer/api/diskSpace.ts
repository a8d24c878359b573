import { TRPCClientError } from '@trpc/client';
import type { TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { createStore, useStore } from 'zustand';
import { isReport } from './problem.ts';

const disk = createStore<{ readonly isFull: boolean }>(() => ({ isFull: false }));

/** Whether the host found the disk of its data directory full, and no space since. */
export function useDiskIsFull(): boolean {
  return useStore(disk, ({ isFull }) => isFull);
}

/** Something failed, or works again, for the space of the disk. */
export function noteDiskFull(isFull: boolean): void {
  disk.setState({ isFull });
}

function saysFull(error: unknown): boolean {
  if (!(error instanceof TRPCClientError)) return false;
  const data: unknown = error.data;
  return (
    typeof data === 'object' && data !== null && 'report' in data && isReport(data.report) && data.report.code === 'DISK_FULL'
  );
}

/** Notes of every call whether it failed because the disk is full. The caller gets the error as ever. */
export function diskSpaceLink<Router extends AnyTRPCRouter>(): TRPCLink<Router> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          next: (value) => observer.next(value),
          error(error) {
            if (saysFull(error)) noteDiskFull(true);
            observer.error(error);
          },
          complete: () => observer.complete(),
        }),
      );
}
