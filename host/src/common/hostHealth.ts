import { z } from 'zod';
import type { Shape } from './shape.ts';

/** Where the window's server answers whether the host can be used. */
export const HEALTH_PATH = '/health';

/** Where it gives the host's own metrics, where they are switched on. */
export const METRICS_PATH = '/metrics';

export const HOST_STATUSES = ['starting', 'ready', 'stopping'] as const;
/** The state of a host that runs. Nothing else is in it: programs of other users may ask. */
export const hostHealthSchema = z.object({ status: z.enum(HOST_STATUSES) });
export type HostHealth = Shape<typeof hostHealthSchema>;
