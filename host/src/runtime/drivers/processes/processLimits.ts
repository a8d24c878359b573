import { token } from '../../container/inject.ts';

/** Differences from {@link PROCESS_LIMITS}. */
export const PROCESS_LIMIT_CHANGES = token<Partial<ProcessLimits>>('PROCESS_LIMIT_CHANGES');

/** The numbers of driver processes. Times are milliseconds, sizes bytes. */
export interface ProcessLimits {
  /** From the start of a process to its first frame; a driver whose module never finishes loading ends here. */
  readonly ready: number;
  /** One call of a session, unless the connection's own time-out is longer. */
  readonly call: number;
  /** The time of a call beyond the connection's time-out for HTTP, which ends first and says more. */
  readonly callMargin: number;
  /**
   * While a call is open: from the last sign of a process to its end, where its event loop does not answer either. For a driver that is
   * not declared to block; it may compute for some seconds. Without it a stream, which has no time limit, would wait for ever.
   */
  readonly loopSilence: number;
  /** From a cancel to the driver's confirmation. */
  readonly cancelGrace: number;
  /** The same in a process in which sessions of the console were opened: it holds their transactions, whichever call is slow to end. */
  readonly sessionCancelGrace: number;
  /** The same for a driver whose calls block it: nothing else waits for its process, and a new one is there in a moment. */
  readonly blockingCancelGrace: number;
  /** How many processes one connection of such a driver may have, each with one running call; further calls wait. */
  readonly blockingPool: number;
  /** How long such a process is kept beside the first when nothing is asked of it. */
  readonly processIdle: number;
  /** For a session to say good-bye. */
  readonly close: number;
  /** For a process to end after the wire is closed. */
  readonly exitGrace: number;
  /** How long a process that is ready for the next driver is kept when none comes; 0: none is. */
  readonly spareIdle: number;
  /** How long a process without sessions is kept. */
  readonly idle: number;
  /** A process that ends unexpectedly more often than this within that time is not started again before it is over. */
  readonly crashes: { readonly count: number; readonly within: number };
  /** The heap; more is V8's own end of the process. */
  readonly heapMegabytes: number;
  /** Resident memory, above which the process is ended. A buffer or WebAssembly memory counts here and not in the heap. */
  readonly residentBytes: number;
  readonly residentPoll: number;
  /** While no call is open: the share of one processor that a process may use over the window, above which it is ended. Linux only. */
  readonly idleProcessor: { readonly share: number; readonly window: number };
  /** Linux: the kernel's own limit for data, of which Node reserves 600 MB at the start without using it. */
  readonly dataBytes: number;
  /** A page's encoded rows, and any other answer held in one piece. */
  readonly answerBytes: number;
  /** One line of a console's answer. */
  readonly eventBytes: number;
  /** The bytes that a process may write to its log in its life. */
  readonly logBytes: number;
}

export const PROCESS_LIMITS: ProcessLimits = {
  // A computer with too much to do, or a cold disk, takes many times as long as the 150 ms of an idle one.
  ready: 30_000,
  call: 30_000,
  callMargin: 5_000,
  loopSilence: 20_000,
  cancelGrace: 2_000,
  sessionCancelGrace: 15_000,
  blockingCancelGrace: 300,
  blockingPool: 4,
  processIdle: 20_000,
  close: 5_000,
  exitGrace: 2_000,
  spareIdle: 10 * 60_000,
  idle: 60_000,
  crashes: { count: 5, within: 5 * 60_000 },
  heapMegabytes: 256,
  residentBytes: 600 * 1024 * 1024,
  residentPoll: 50,
  idleProcessor: { share: 0.2, window: 30_000 },
  dataBytes: 1_400_000_000,
  answerBytes: 64 * 1024 * 1024,
  eventBytes: 16 * 1024 * 1024,
  logBytes: 256 * 1024,
};
