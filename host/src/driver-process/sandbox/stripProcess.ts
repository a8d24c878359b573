import { defineProperty, deleteProperty, fixMethods, getOwnPropertyDescriptor, ownKeys } from './intrinsics.ts';

/**
 * Names that Node itself looks up on its `process` while it runs. A driver doesn't get this object and could still come upon it, so
 * every other name is removed. The reason for each: 'exit', 'reallyExit', `_exiting`, `exitCode`: the end of the process; `nextTick`, `_tickCallback`,
 * `_fatalException`: called by native code; `_events` and its kin: listeners; `emitWarning`, `versions`, `platform`, `arch`, `execArgv`, `argv`, `cwd`,
 * `pid`, `features`, `domain`, `release`, `version`: read by modules that Node loads later.
 */
const NEEDED_BY_NODE = [
  'exit',
  'reallyExit',
  '_exiting',
  'exitCode',
  'nextTick',
  '_tickCallback',
  '_fatalException',
  '_events',
  '_eventsCount',
  '_maxListeners',
  'domain',
  'emitWarning',
  'version',
  'versions',
  'platform',
  'arch',
  'release',
  'features',
  'cwd',
  'pid',
];

/** Takes from Node's own `process` all that Node does not need. @throws Error when a property cannot be removed */
export function stripProcess(real: NodeJS.Process): void {
  // Once: the first read of a getter creates its value.
  for (const key of ownKeys(real)) {
    if (typeof key === 'symbol' || NEEDED_BY_NODE.includes(key)) continue;
    if (getOwnPropertyDescriptor(real, key)?.configurable === false) continue;
    if (!deleteProperty(real, key)) throw new Error(`process.${key} cannot be removed.`);
  }
  // Native code reads the real environment: TZ, SSL_CERT_FILE, NODE_EXTRA_CA_CERTS. An ordinary object changes nothing there.
  defineProperty(real, 'env', { value: Object.freeze({}), writable: false, configurable: false });
  defineProperty(real, 'argv', { value: Object.freeze([]), writable: false, configurable: false });
  defineProperty(real, 'execArgv', { value: Object.freeze([]), writable: false, configurable: false });
  fixMethods(real);
}
