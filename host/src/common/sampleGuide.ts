import { tableRefSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { LANGUAGES } from './languages.ts';
import type { Language } from './languages.ts';
import type { Shape } from './shape.ts';
import { TAB_VIEWS, WORKSPACE_TOOLS } from './views.ts';

const textSchema = z.string().min(1).max(300);

/** A text in the languages of the window. One that is missing is shown in English. */
const textsSchema = z
  .partialRecord(z.enum(Object.keys(LANGUAGES) as [Language, ...Language[]]), textSchema)
  .and(z.object({ en: textSchema }));

/** The contents of a sample connection, and views to try first. Stored as a document of the connection until it is dismissed. */
export const sampleGuideSchema = z.object({
  about: textsSchema,
  tries: z
    .array(
      z.object({
        label: textsSchema,
        opens: z.discriminatedUnion('is', [
          z.object({ is: z.literal('table'), table: tableRefSchema, view: z.enum(TAB_VIEWS) }),
          z.object({ is: z.literal('tool'), tool: z.enum(WORKSPACE_TOOLS) }),
        ]),
      }),
    )
    .min(1)
    .max(3),
});
export type SampleGuide = Shape<typeof sampleGuideSchema>;

/** The name of the document. */
export const SAMPLE_GUIDE = 'sampleGuide';
