import type { LogFields } from '../../common/logs.ts';
import { from, token } from '../container/inject.ts';
import type { Derived } from '../container/inject.ts';

export const LOGGER = token<Logger>('LOGGER');

/** The parts of an entry beside its message. */
export interface LogDetails {
  /** The part of the host that writes it; default: `host`. */
  readonly component?: string;
  readonly fields?: LogFields;
}

/** Where the host writes what people may need to find a fault. No line holds a credential, a row or a statement. */
export interface Logger {
  debug(message: string, details?: LogDetails): void;
  info(message: string, details?: LogDetails): void;
  warn(message: string, details?: LogDetails): void;
  error(message: string, cause?: unknown, details?: LogDetails): void;
}

/** A logger that writes nothing. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A logger whose entries say that they are of one part of the host. */
export function componentLogger(logger: Logger, component: string): Logger {
  return {
    debug: (message, details) => logger.debug(message, { component, ...details }),
    info: (message, details) => logger.info(message, { component, ...details }),
    warn: (message, details) => logger.warn(message, { component, ...details }),
    error: (message, cause, details) => logger.error(message, cause, { component, ...details }),
  };
}

/** The container's logger for one part of the host. */
export function loggerOf(component: string): Derived<Logger> {
  return from([LOGGER], (logger) => componentLogger(logger, component));
}
