import { z } from 'zod';

/** Some words. */
export const label = z.string().min(1).max(80);
/** A sentence. */
export const sentence = z.string().min(1).max(400);
