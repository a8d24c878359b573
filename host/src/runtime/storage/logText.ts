import { visibleText } from '@tabularium/sdk';
import { logEntrySchema } from '../../common/logs.ts';
import type { LogEntry } from '../../common/logs.ts';

const LEVEL_WIDTH = 5;

/** A line of the log; undefined for one that is torn or that another program wrote. */
export function readLogLine(line: string): LogEntry | undefined {
  try {
    return logEntrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** An entry for people, with its line end. Lines after the first are indented, so that none passes for an entry; hidden characters are visible. */
export function logText({ time, level, component, message, error, fields = {} }: LogEntry): string {
  const beside = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
  const head = `${time} ${level.padEnd(LEVEL_WIDTH)} ${component}: ${message}`;
  const text = [
    head,
    ...(beside.length === 0 ? [] : [` (${beside.join(', ')})`]),
    ...(error === undefined ? [] : [`\n${error}`]),
  ];
  return `${visibleText(text.join(''), 'text', Infinity).replaceAll('\n', '\n  ')}\n`;
}
