import { z } from 'zod';
import { errorReport } from '../../runtime/errors/errorReport.ts';
import { ReportedError } from '../../runtime/ownerSocket/ownerProtocol.ts';
import { catalogueSchema, installProgressSchema } from '../../common/drivers.ts';
import type { InstallProgress } from '../../common/drivers.ts';
import { overviewSchema } from './driverLists.ts';
import { driverId } from '../driverId.ts';
import { causeOf, understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';
import { HostError } from '../../common/errors.ts';
import { follow } from './programContext.ts';

export const updatesSchema = z.object({
  updated: z.array(z.object({ id: z.string(), version: z.string(), openSessions: z.array(z.string()) })),
  /** Installed drivers of which a newer version is offered that can't run here, with the reason. */
  passedOver: z.array(z.object({ id: z.string(), reason: z.string() })),
  failed: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  /** Why a registry could not be asked for newer versions. */
  problem: catalogueSchema.shape.problem,
});
const askedSchema = catalogueSchema.pick({ problem: true });

/**
 * Brings a driver to the newest version that can run here; without one, every driver that a newer version waits for.
 *
 * @throws what the update of a driver that was named fails with
 */
export async function updateDrivers(
  api: OwnerApi,
  driver: string | undefined,
  notify: (progress: InstallProgress) => Promise<void>,
  options: ApiCallOptions,
): Promise<z.output<typeof updatesSchema>> {
  const result: z.output<typeof updatesSchema> = { updated: [], passedOver: [], failed: [] };
  if (driver === undefined) {
    const { problem } = understood(askedSchema, await api.drivers.refresh.mutate(undefined, options));
    if (problem !== undefined) result.problem = problem;
  }
  const wanted =
    driver === undefined
      ? understood(z.array(z.string()), await api.owner.drivers.updatable.query(undefined, options))
      : [driverId(driver)];
  for (const id of wanted) {
    try {
      const last = await follow(await api.drivers.update.mutate({ driver: id }, options), installProgressSchema, notify);
      if (last?.step !== 'installed') throw new HostError('INTERNAL', 'The installation ended without a result.');
      const overview = understood(overviewSchema, await api.drivers.overview.query(undefined, options));
      const openSessions = overview.drivers.find((entry) => entry.id === id)?.oldSessions ?? [];
      result.updated.push({ id, version: last.version, openSessions });
    } catch (error) {
      // The failure of a named driver is the caller's error; an update of all continues with the others.
      if (driver !== undefined || options.signal.aborted) throw error;
      const cause = causeOf(error);
      const { code, message } = cause instanceof ReportedError ? cause.report : errorReport(cause);
      result.failed.push({ id, code, message });
    }
  }
  const { drivers } = understood(overviewSchema, await api.drivers.overview.query(undefined, options));
  for (const { id, installedVersion, disabled, fault, reason } of drivers) {
    const isMeant = driver === undefined ? installedVersion !== undefined : id === driver;
    if (isMeant && disabled !== true && fault === undefined && reason !== undefined) result.passedOver.push({ id, reason });
  }
  return result;
}
