import { z } from 'zod';

/** Something to read: a person is asked by these texts, and one of blanks alone would ask nothing. */
const READABLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
const BLANK = 'Write a text that people can read.';

/** Some words. */
export const label = z.string().min(1).max(80).regex(READABLE, BLANK);
/** A sentence. */
export const sentence = z.string().min(1).max(400).regex(READABLE, BLANK);
