import { z } from 'zod';
import { deferredSchema } from './deferredSchema.ts';

// Parts of many schemas of the wire.

/** A name of a table, a column and so on. */
export const nameSchema = z.string().max(1_000);
/** A sentence for a person. */
export const messageSchema = deferredSchema(() => z.string().max(4_000));
/** A count that a number holds exactly. */
export const safeCountSchema = deferredSchema(() => z.number().int().min(0).max(Number.MAX_SAFE_INTEGER));
/** Nodes of one connection. */
export const MOST_NODES = 16;
/** Host and port of a node. */
export const nodeNameSchema = deferredSchema(() => z.string().min(1).max(300));
