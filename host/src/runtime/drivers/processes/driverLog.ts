import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { visibleText } from '@tabularium/sdk';
import { token } from '../../container/inject.ts';

/** Takes the lines of every driver's log. */
export const DRIVER_LOG = token<DriverLogSink>('DRIVER_LOG');

/** One line of a driver's log. */
export interface DriverLogLine {
  readonly driver: string;
  readonly version: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly source: 'driver' | 'stderr' | 'host';
  readonly message: string;
}
/** Where a driver's log lines go. */
export type DriverLogSink = (line: DriverLogLine) => void;

const LONGEST_LINE = 2_000;
/** Lines that are kept of one second. A line costs the host about 10 µs, so these cost one hundredth of it. */
const MOST_LINES = 1_000;
const SECOND = 1_000;
/** Bytes of standard error that are read in one slice of time: 16 MB a second, for which the host needs less than one hundredth of it. */
const MOST_BYTES = 1_600_000;
const SLICE = 100;

/** The log of one process, with a limit and a rate: a driver must be able neither to fill the disk nor to keep the host busy. */
export class ProcessLog {
  readonly #sink: DriverLogSink;
  readonly #driver: string;
  readonly #version: string;
  #bytesLeft: number;
  #partial = '';
  #secondEnds = 0;
  #linesOfSecond = 0;
  #dropped = 0;
  readonly #said = new Set<string>();

  constructor(sink: DriverLogSink, driver: string, version: string, bytes: number) {
    this.#sink = sink;
    this.#driver = driver;
    this.#version = version;
    this.#bytesLeft = bytes;
  }

  /** Messages of the host about the process; not limited. */
  host(level: DriverLogLine['level'], message: string): void {
    this.#sink({ driver: this.#driver, version: this.#version, level, source: 'host', message });
  }

  /**
   * A line that the driver sent over the wire.
   *
   * @returns undefined, or what resolves when the next line has room. Answer the driver only then: it can have a bounded number of lines
   *   that wait for their answers, so that a flood costs the host no more than what it keeps
   */
  line(level: DriverLogLine['level'], text: string): Promise<void> | undefined {
    this.#add(level, 'driver', text);
    const wait = this.#secondEnds - performance.now();
    if (this.#linesOfSecond < MOST_LINES || wait <= 0) return undefined;
    return new Promise((resolve) => void setTimeout(resolve, wait).unref());
  }

  /** Reads the process's standard error to its end, never faster than the rate: a driver that writes more waits until there is room in its pipe. */
  read(stderr: Readable): void {
    const decoder = new StringDecoder('utf8');
    let sliceEnds = 0;
    let bytesOfSlice = 0;
    stderr.on('data', (chunk: Uint8Array) => {
      if (this.#bytesLeft > 0) this.#text(decoder.write(chunk));
      const now = performance.now();
      if (now >= sliceEnds) {
        sliceEnds = now + SLICE;
        bytesOfSlice = 0;
      }
      bytesOfSlice += chunk.length;
      if (bytesOfSlice < MOST_BYTES) return;
      this.#once('The driver writes more than 16 MB a second to its standard error, so the host reads it slowly.');
      stderr.pause();
      setTimeout(() => stderr.resume(), sliceEnds - now).unref();
    });
  }

  end(): void {
    if (this.#partial !== '') this.#add('error', 'stderr', this.#partial);
    this.#partial = '';
    if (this.#dropped > 0) this.host('warn', `${this.#dropped} lines of the driver's log were dropped.`);
    this.#dropped = 0;
  }

  /** A piece of standard error. All of it counts, also lines that are empty or dropped: splitting is work too. */
  #text(text: string): void {
    const taken = text.slice(0, this.#bytesLeft);
    const lines = (this.#partial + taken).split('\n');
    this.#partial = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    // Only the first that has no room is reported: the rest of a piece has none either.
    const firstRejected = lines.findIndex((line) => line !== '' && !this.#write('error', 'stderr', line));
    if (firstRejected >= 0) this.#dropped += lines.length - firstRejected - 1;
    this.#spend(taken.length);
  }

  #add(level: DriverLogLine['level'], source: 'driver' | 'stderr', text: string): void {
    if (this.#bytesLeft <= 0) {
      // It counts all the same: a log that is full makes a flood no cheaper.
      this.#hasRoom();
      this.#dropped += 1;
      return;
    }
    this.#write(level, source, text);
    this.#spend(Math.min(text.length, LONGEST_LINE) + 1);
  }

  #spend(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft <= 0) this.#once('The driver has written more than its log may hold; the rest is dropped.');
  }

  /** @returns false when this second has no room for the line */
  #write(level: DriverLogLine['level'], source: 'driver' | 'stderr', text: string): boolean {
    if (!this.#hasRoom()) {
      this.#dropped += 1;
      this.#once(`The driver writes more than ${MOST_LINES} lines a second to its log; the rest of each second is dropped.`);
      return false;
    }
    this.#sink({
      driver: this.#driver,
      version: this.#version,
      level,
      source,
      message: visibleText(text, 'name', LONGEST_LINE),
    });
    return true;
  }

  /** Counts a line. @returns whether this second has room for it */
  #hasRoom(): boolean {
    const now = performance.now();
    if (now >= this.#secondEnds) {
      this.#secondEnds = now + SECOND;
      this.#linesOfSecond = 0;
    }
    this.#linesOfSecond += 1;
    return this.#linesOfSecond <= MOST_LINES;
  }

  #once(message: string): void {
    if (this.#said.has(message)) return;
    this.#said.add(message);
    this.host('warn', message);
  }
}
