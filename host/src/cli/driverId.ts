import { driverSchema } from '../common/driversApi.ts';
import { HostError } from '../common/errors.ts';

/**
 * A driver as a command line names it.
 *
 * @throws HostError `DRIVER_NOT_INSTALLED` for a text that can't be a driver's id, so no such driver can be installed; `INVALID_REQUEST` for an empty text
 */
export function driverId(text: string): string {
  if (text === '') throw new HostError('INVALID_REQUEST', 'The value of "driver" must not be empty.');
  if (driverSchema.safeParse({ driver: text }).success) return text;
  throw new HostError('DRIVER_NOT_INSTALLED', `The driver "${text}" is not installed.`);
}
