/**
 * The version of the contract between drivers and hosts. A driver's manifest names the range it needs (`"sdk": "^1.0"`);
 * a host offers only driver versions whose range holds this number. Additions raise the minor number and never invalidate a
 * driver; a change that breaks one raises the major number.
 */
export const SDK_CONTRACT = '1.1.0';

/** Raised when checks of the conformance kit are added or made stricter, and reset with each minor version of the contract. */
const KIT_REVISION = 17;

/** The version of the conformance kit: the contract that it checks, and its own revision. */
export const KIT_VERSION = `${SDK_CONTRACT.split('.').slice(0, 2).join('.')}.${KIT_REVISION}`;

/** The version of the framing between the host and a driver's process. Both sides must agree on it exactly. */
export const WIRE_VERSION = 1;
