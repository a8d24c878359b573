import { z } from 'zod';
import type { NamespacePage, NamespaceSummary, TablePage } from '../facets/namespaces.ts';
import { nameSchema as name } from './commonSchemas.ts';
import { deferredSchema } from './deferredSchema.ts';
import { tableSummarySchema } from './schemas.ts';

/** Entries of one page of namespaces or tables. */
export const MOST_LISTED_AT_ONCE = 1_000;

/** The names of a namespace and of what contains it; empty for the top. */
export const namespaceSchema = deferredSchema(() => z.array(name).max(8));
/** Where a page of a list begins. */
export const listCursorSchema = deferredSchema(() => z.string().min(1).max(4_000));

/** Checks the parameters of a page of namespaces or tables. */
export const namespaceParamsSchema = deferredSchema(() =>
  z.object({
    namespace: namespaceSchema,
    after: listCursorSchema.optional(),
    limit: z.number().int().min(1).max(MOST_LISTED_AT_ONCE),
  }),
);

/** Checks a {@link NamespaceSummary}. */
export const namespaceSummarySchema: z.ZodType<NamespaceSummary> = deferredSchema(() =>
  z.object({ path: z.array(name).min(1).max(8), hasNamespaces: z.boolean(), hasTables: z.boolean() }),
);

/** Checks a {@link NamespacePage}: a list that never ends has pages without an entry. */
export const namespacePageSchema: z.ZodType<NamespacePage> = deferredSchema(() =>
  z
    .object({ namespaces: z.array(namespaceSummarySchema).max(MOST_LISTED_AT_ONCE), next: listCursorSchema.optional() })
    .refine(({ namespaces, next }) => next === undefined || namespaces.length > 0, 'a page without an entry has a next one'),
);

/** Checks a {@link TablePage}. */
export const tablePageSchema: z.ZodType<TablePage> = deferredSchema(() =>
  z
    .object({ tables: z.array(tableSummarySchema).max(MOST_LISTED_AT_ONCE), next: listCursorSchema.optional() })
    .refine(({ tables, next }) => next === undefined || tables.length > 0, 'a page without an entry has a next one'),
);
