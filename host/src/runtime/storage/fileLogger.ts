import { join } from 'node:path';
import { inspect } from 'node:util';
import { escapedJson } from '@tabularium/sdk';
import { isUrgentEnough, logSettingsSchema } from '../../common/logs.ts';
import type { LogEntry, LogFields, LogLevel, LogSettings } from '../../common/logs.ts';
import type { LogDetails, Logger } from './logger.ts';
import { RotatingFile } from './rotatingFile.ts';
import { withoutCredentials } from './withoutCredentials.ts';

/** The log, in its folder. */
export const LOG_FILE = 'host.log';

export interface FileLoggerOptions {
  /** The folder of the log. */
  readonly folder: string;
  /** Takes the place of the setting, for this run. */
  readonly level?: LogLevel | undefined;
  /** Gets each entry, too, whether the file can be written or not. Never throws. */
  readonly alsoTo?: ((entry: LogEntry) => void) | undefined;
  /** Called when the file can't be written, once until it can be again. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

/** Characters of one text. An error may quote a whole request. */
const LONGEST_TEXT = 16_000;
const LONGEST_FIELD = 500;
/** The largest answer of a token server, and so more than any secret. */
const LONGEST_SECRET = 64 * 1024;
const MOST_FIELDS = 20;
/** The size of one write, and of what waits for a slow disk at most. Characters. */
const LARGEST_PIECE = 256 * 1024;
const MOST_WAITING = 4 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/**
 * Writes entries to `host.log` in a folder, one line of JSON for each, in order. No entry is more than one line, whatever its texts are. A log that
 * can't be written never stops the host: what is lost meanwhile is counted.
 */
export class FileLogger implements Logger {
  readonly #options: FileLoggerOptions;
  readonly #file: RotatingFile;
  #settings: LogSettings = logSettingsSchema.parse({});
  #redact: (text: string) => string = (text) => text;
  readonly #waiting: string[] = [];
  #waitingCharacters = 0;
  #writing: Promise<void> | undefined;
  #lost = 0;
  #isInTrouble = false;

  constructor(options: FileLoggerOptions) {
    this.#options = options;
    this.#file = new RotatingFile(join(options.folder, LOG_FILE));
  }

  /** Lets every text from here on pass through `redact`: an unforeseen error may quote anything, also a credential. */
  redactWith(redact: (text: string) => string): void {
    this.#redact = redact;
  }

  /** The settings from here on. */
  configure(settings: LogSettings): void {
    this.#settings = settings;
    this.#file.limit(limitsOf(settings));
  }

  debug(message: string, details?: LogDetails): void {
    this.#add('debug', message, undefined, details);
  }

  info(message: string, details?: LogDetails): void {
    this.#add('info', message, undefined, details);
  }

  warn(message: string, details?: LogDetails): void {
    this.#add('warn', message, undefined, details);
  }

  error(message: string, cause?: unknown, details?: LogDetails): void {
    const error = cause instanceof Error ? (cause.stack ?? cause.message) : cause === undefined ? undefined : inspect(cause);
    this.#add('error', message, error, details);
  }

  /** Resolves when everything so far is on disk, or lost. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  #add(level: LogLevel, message: string, error: string | undefined, { component = 'host', fields }: LogDetails = {}): void {
    if (!isUrgentEnough(level, this.#options.level ?? this.#settings.level)) return;
    const entry: LogEntry = {
      time: new Date().toISOString(),
      level,
      component,
      message: this.#clean(message, LONGEST_TEXT),
      ...(error === undefined ? {} : { error: this.#clean(error, LONGEST_TEXT) }),
      ...(fields === undefined ? {} : { fields: this.#cleanFields(fields) }),
    };
    this.#options.alsoTo?.(entry);
    this.#enqueue(entry);
  }

  #enqueue(entry: LogEntry): void {
    const line = lineOf(entry);
    if (this.#waitingCharacters + line.length > MOST_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingCharacters += line.length;
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    // Entries of one turn of the loop are one write.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const piece = this.#nextPiece();
      const lost = this.#lost;
      try {
        await this.#file.append((lost === 0 ? '' : lineOf(lostEntry(lost))) + piece.join(''));
        this.#lost -= lost;
        this.#isInTrouble = false;
      } catch (error) {
        this.#lost += piece.length;
        if (!this.#isInTrouble) this.#options.onTrouble?.(error);
        this.#isInTrouble = true;
      }
    }
    // In the same turn as the last look: later entries begin another write.
    this.#writing = undefined;
  }

  #nextPiece(): readonly string[] {
    let characters = 0;
    let count = 0;
    for (const line of this.#waiting) {
      if (count > 0 && characters + line.length > LARGEST_PIECE) break;
      characters += line.length;
      count += 1;
    }
    this.#waitingCharacters -= characters;
    return this.#waiting.splice(0, count);
  }

  /** Hides before it cuts: a secret without its end isn't recognised. */
  #clean(text: string, longest: number): string {
    const most = longest + LONGEST_SECRET;
    const hidden = this.#hidden(text.slice(0, most));
    if (text.length <= most) return hidden.length <= longest ? hidden : `${hidden.slice(0, longest)}…`;
    // The text is too long to search, and this cut may split a secret that begins after `longest`: so nothing is taken from there. One that
    // begins before it is whole in the first of the two, and they differ from its place on.
    return `${commonStart(hidden, this.#hidden(text.slice(0, longest))).slice(0, longest)}…`;
  }

  /** Known secrets first, then whatever has the form of one. */
  #hidden(text: string): string {
    return withoutCredentials(this.#redact(text));
  }

  #cleanFields(fields: LogFields): LogEntry['fields'] {
    return Object.fromEntries(
      Object.entries(fields)
        .slice(0, MOST_FIELDS)
        .map(([name, value]) => [name, typeof value === 'string' ? this.#clean(value, LONGEST_FIELD) : value]),
    );
  }
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

function limitsOf({ fileMegabytes, olderFiles }: LogSettings): { readonly bytes: number; readonly olderFiles: number } {
  return { bytes: fileMegabytes * MEGABYTE, olderFiles };
}

/** Line ends, controls and characters that hide or reorder text are escapes in it. */
export function lineOf(entry: LogEntry): string {
  return `${escapedJson(JSON.stringify(entry))}\n`;
}

function lostEntry(count: number): LogEntry {
  const message = `${count} ${count === 1 ? 'entry' : 'entries'} of the log could not be written before this one`;
  return { time: new Date().toISOString(), level: 'warn', component: 'log', message, fields: { lost: count } };
}
