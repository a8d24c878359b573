import { token } from '../container/inject.ts';

/** The variables that the host was started with. */
export const ENVIRONMENT = token<NodeJS.ProcessEnv>('ENVIRONMENT');
