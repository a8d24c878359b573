import { visibleText } from '@tabularium/sdk';

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

/** The log of one process, with a limit: a driver must not be able to fill the disk. */
export class ProcessLog {
  readonly #sink: DriverLogSink;
  readonly #driver: string;
  readonly #version: string;
  #bytesLeft: number;
  #partial = '';

  constructor(sink: DriverLogSink, driver: string, version: string, bytes: number) {
    this.#sink = sink;
    this.#driver = driver;
    this.#version = version;
    this.#bytesLeft = bytes;
  }

  /** What the host has to say of the process; not limited. */
  host(level: DriverLogLine['level'], message: string): void {
    this.#sink({ driver: this.#driver, version: this.#version, level, source: 'host', message });
  }

  line(level: DriverLogLine['level'], source: 'driver' | 'stderr', text: string): void {
    if (this.#bytesLeft <= 0) return;
    const message = visibleText(text, 'name', LONGEST_LINE);
    this.#bytesLeft -= message.length + 1;
    this.#sink({ driver: this.#driver, version: this.#version, level, source, message });
    if (this.#bytesLeft <= 0) this.host('warn', 'The driver has written more than its log may hold; the rest is dropped.');
  }

  /** A piece of the process's standard error. */
  stderr(text: string): void {
    if (this.#bytesLeft <= 0) return;
    const lines = (this.#partial + text).split('\n');
    this.#partial = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of lines) if (line !== '') this.line('error', 'stderr', line);
  }

  end(): void {
    if (this.#partial !== '') this.line('error', 'stderr', this.#partial);
    this.#partial = '';
  }
}
