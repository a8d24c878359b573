import type { Logger } from '../storage/logger.ts';
import type { DriverDevelopment } from './install/driverDevelopment.ts';
import type { DriverLogSink } from './processes/driverLog.ts';

/**
 * Writes the lines of drivers to the host's log, and shows them to the authors of those that are being developed.
 *
 * @param development - asked for at the first line
 */
export function driverLogSink(logger: Logger, development: () => DriverDevelopment): DriverLogSink {
  return (line) => {
    const { driver, version, level, source, message } = line;
    const details = { fields: { driver, version, source } };
    if (level === 'error') logger.error(message, undefined, details);
    else logger[level](message, details);
    development().log(line);
  };
}
