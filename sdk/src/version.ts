/**
 * The version of the contract between drivers and hosts. A driver's manifest names the range it needs (`"sdk": "^1.0"`);
 * a host offers only driver versions whose range holds this number. Additions raise the minor number and never invalidate a
 * driver; a change that breaks one raises the major number.
 */
export const SDK_CONTRACT = '1.0.0';

/** The version of the framing between the host and a driver's process. Both sides must agree on it exactly. */
export const WIRE_VERSION = 1;
