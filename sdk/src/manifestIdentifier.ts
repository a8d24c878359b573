import { z } from 'zod';

/** The id of a field, or of another part of a manifest. */
export const identifier = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/, 'Use 1 to 40 letters, digits, _ and -, beginning with a letter.');
