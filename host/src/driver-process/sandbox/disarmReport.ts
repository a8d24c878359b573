import { defineProperty, fix, freeze, ownKeys } from './intrinsics.ts';

/** A path where no file can be made on any system: below a device, or with a character that Windows refuses. */
const NOWHERE = process.platform === 'win32' ? 'NUL:\\nowhere' : '/dev/null/nowhere';

/**
 * Makes Node's diagnostic report harmless, whatever finds its way to it later. Node writes the report of a fatal error without asking the
 * permission model, to the file that `process.report` names. So its native settings are switched off and point nowhere, and the object
 * loses the setters that could change them.
 */
export function disarmReport(): void {
  const { report } = process;
  report.reportOnFatalError = false;
  report.reportOnSignal = false;
  report.reportOnUncaughtException = false;
  report.excludeEnv = true;
  Reflect.set(report, 'excludeNetwork', true);
  report.compact = false;
  report.directory = NOWHERE;
  report.filename = 'report';
  for (const key of ownKeys(report)) {
    const value: unknown = Reflect.get(report, key);
    defineProperty(report, key, { value: undefined, configurable: true });
    fix(report, key, typeof value === 'function' ? undefined : value);
  }
  freeze(report);
}
