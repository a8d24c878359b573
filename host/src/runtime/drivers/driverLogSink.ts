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
    logger[level === 'debug' ? 'info' : level](`${driver} ${version} (${source}): ${message}`);
    development().log(line);
  };
}
