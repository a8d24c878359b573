import type { DriverOverview, GrantQuestion, InstallProgress, TrustQuestion } from '../../common/drivers.ts';
import { DRIVER_FILE_PATH } from '../../common/driversApi.ts';
import { apiUrl } from '../api/apiUrl.ts';
import { hostFetch } from '../api/hostLink/hostFetch.ts';
import { api } from '../api/client.ts';
import { isReport, ReportedProblem } from '../api/problem.ts';
import { useReloadDrivers } from '../api/queries.ts';
import { SESSION_ENDS_AGREED } from '../api/sessionEnds.ts';
import { strings } from '../i18n/index.ts';
import type { HeldSession } from '../state/heldSessions.ts';
import { agreesToEnd } from '../state/openTransactions.ts';
import { dismiss, operate } from './operations.ts';

/** All actions for a driver. Each runs alone and shows its progress at the driver and in the status bar. */
export interface PluginActions {
  install(driver: DriverOverview, version?: string): void;
  update(driver: DriverOverview): void;
  rollBack(driver: DriverOverview): void;
  pin(driver: DriverOverview, version: string): void;
  unpin(driver: DriverOverview): void;
  enable(driver: DriverOverview): void;
  disable(driver: DriverOverview): void;
  remove(driver: DriverOverview): void;
  applyToOpen(driver: DriverOverview): void;
  unload(driver: DriverOverview): void;
  bundle(driver: DriverOverview): void;
  installFile(file: File): void;
  /** Trusts the key that an operation asked about, and does it again. */
  trust(key: string, question: TrustQuestion, retry: () => void): Promise<void>;
  /** Lets a driver leave the sandbox as an operation asked, and does it again. */
  allow(key: string, question: GrantQuestion, retry: () => void): Promise<void>;
  /** Takes back what was allowed. */
  withdraw(driver: DriverOverview): void;
}

async function follow(steps: AsyncIterable<InstallProgress>, notify: (progress: InstallProgress) => void): Promise<void> {
  for await (const progress of steps) notify(progress);
}

/** Fails with the host's own report, where it gave one. */
async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const report: unknown = await response.json();
  if (isReport(report)) throw new ReportedProblem(report);
  throw new SyntaxError("The error isn't a report.");
}

/** Ends the sessions of other versions alone, so the person is asked about their open transactions alone. */
async function applyAsking({ id, installedVersion }: DriverOverview, signal: AbortSignal): Promise<void> {
  const isEnded = ({ driver, driverVersion }: HeldSession): boolean => driver === id && driverVersion !== installedVersion;
  if (!(await agreesToEnd(isEnded, signal))) throw new DOMException('The sessions are to stay open.', 'AbortError');
  await api.drivers.applyToOpen.mutate({ driver: id }, { signal, ...SESSION_ENDS_AGREED });
}

/** Hands bytes to the browser as a download. */
function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function usePluginActions(): PluginActions {
  const words = strings.plugins.done;
  const reload = useReloadDrivers();
  const simple = (driver: DriverOverview, done: string, run: (signal: AbortSignal) => Promise<unknown>): void =>
    void operate({
      key: driver.id,
      kind: 'other',
      name: driver.manifest.title,
      run: async (signal) => void (await run(signal)),
      done,
      onDone: reload,
    });
  return {
    install: (driver, version) =>
      void operate({
        key: driver.id,
        kind: 'install',
        name: driver.manifest.title,
        run: async (signal, notify, allowDowngrade) =>
          follow(await api.drivers.install.mutate({ driver: driver.id, version, allowDowngrade }, { signal }), notify),
        done: words.install(driver.manifest.title),
        onDone: reload,
      }),
    update: (driver) =>
      void operate({
        key: driver.id,
        kind: 'update',
        name: driver.manifest.title,
        run: async (signal, notify) => follow(await api.drivers.update.mutate({ driver: driver.id }, { signal }), notify),
        done: words.update(driver.manifest.title),
        onDone: reload,
      }),
    rollBack: (driver) =>
      void operate({
        key: driver.id,
        kind: 'rollBack',
        name: driver.manifest.title,
        run: async (signal) => void (await api.drivers.rollback.mutate({ driver: driver.id }, { signal })),
        done: words.rollBack(driver.manifest.title),
        onDone: reload,
      }),
    pin: (driver, version) =>
      simple(driver, words.pin(driver.manifest.title, version), (signal) =>
        api.drivers.pin.mutate({ driver: driver.id, version }, { signal }),
      ),
    unpin: (driver) =>
      simple(driver, words.unpin(driver.manifest.title), (signal) => api.drivers.unpin.mutate({ driver: driver.id }, { signal })),
    enable: (driver) =>
      simple(driver, words.enable(driver.manifest.title), (signal) =>
        api.drivers.enable.mutate({ driver: driver.id }, { signal }),
      ),
    disable: (driver) =>
      simple(driver, words.disable(driver.manifest.title), (signal) =>
        api.drivers.disable.mutate({ driver: driver.id }, { signal }),
      ),
    remove: (driver) =>
      simple(driver, words.remove(driver.manifest.title), (signal) =>
        api.drivers.remove.mutate({ driver: driver.id }, { signal }),
      ),
    applyToOpen: (driver) => simple(driver, words.applyToOpen(driver.manifest.title), (signal) => applyAsking(driver, signal)),
    unload: (driver) =>
      simple(driver, words.unload(driver.manifest.title), (signal) =>
        api.drivers.forgetFolder.mutate({ driver: driver.id }, { signal }),
      ),
    bundle: (driver) =>
      simple(driver, words.bundle(driver.manifest.title), async (signal) => {
        const response = await checked(
          await hostFetch(apiUrl(`${DRIVER_FILE_PATH}?driver=${encodeURIComponent(driver.id)}`), { signal }),
        );
        save(`${driver.id}-${driver.installedVersion ?? ''}.tgz`, await response.blob());
      }),
    installFile: (file) =>
      void operate({
        key: `file:${file.name}`,
        kind: 'file',
        name: file.name,
        run: async (signal, _notify, allowDowngrade) => {
          const query = new URLSearchParams({
            name: file.name.slice(0, 200),
            ...(allowDowngrade === undefined ? {} : { allowDowngrade }),
          });
          const path = `${DRIVER_FILE_PATH}?${query}`;
          await checked(
            await hostFetch(apiUrl(path), {
              method: 'POST',
              headers: { 'content-type': 'application/octet-stream' },
              body: file,
              signal,
            }),
          );
        },
        done: words.file(file.name),
        onDone: reload,
      }),
    allow: async (key, { driver, grants, askedBy }, retry) => {
      await api.drivers.allowGrants.mutate({ driver: driver.id, grants: [...grants], askedBy });
      dismiss(key);
      retry();
    },
    withdraw: (driver) =>
      simple(driver, words.withdraw(driver.manifest.title), (signal) =>
        api.drivers.withdrawGrants.mutate({ driver: driver.id }, { signal }),
      ),
    trust: async (key, { keyId, publisher }, retry) => {
      await api.drivers.trust.mutate({ keyId, shown: publisher });
      dismiss(key);
      retry();
    },
  };
}
