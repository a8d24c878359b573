import type { InjectionToken } from 'tsyringe';
import type { SecureStore } from './credentials/secureStore.ts';
import type { DriverFolders } from './drivers/packages/driverFolders.ts';
import type { Logger } from './storage/logger.ts';

// What the composition hands out by interface; classes are their own tokens.
export const FOLDERS: InjectionToken<DriverFolders> = Symbol('DriverFolders');
export const SECURE_STORE: InjectionToken<SecureStore> = Symbol('SecureStore');
export const LOGGER: InjectionToken<Logger> = Symbol('Logger');
