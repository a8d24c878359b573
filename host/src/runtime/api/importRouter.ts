import { namespaceSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import {
  importIdSchema,
  importInfoSchema,
  newTableNamespacesSchema,
  openUploadSchema,
  planTableSchema,
  plannedChangeSchema,
  previewRowImportSchema,
  resumeImportSchema,
  rowImportPreviewSchema,
  startImportSchema,
  uploadSchema,
} from '../../common/imports.ts';
import { answersWith, nothing, passesOn } from './procedureAnswer.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Imports of files. They continue when the window that started one closes. */
export const importRouter = router({
  /** A file that a window sends in pieces; see UPLOAD_PATH. */
  openUpload: procedure
    .input(openUploadSchema)
    .output(answersWith(uploadSchema))
    .mutation(async ({ ctx, input }) => ({ id: await ctx.uploads.open(input.name, input.bytes) })),
  /** One that isn't wanted any more. */
  removeUpload: procedure
    .input(uploadSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.uploads.remove(input.id)),
  preview: procedure
    .input(previewRowImportSchema)
    .output(answersWith(rowImportPreviewSchema))
    .mutation(({ ctx, input, signal }) => ctx.imports.preview(input, signal ?? NEVER)),
  /** Where a table can be made. */
  namespaces: procedure
    .input(z.object({ connectionId: z.uuid(), within: namespaceSchema.optional() }))
    .output(answersWith(newTableNamespacesSchema))
    .query(({ ctx, input, signal }) => ctx.imports.namespaces(input.connectionId, signal ?? NEVER, input.within)),
  planTable: procedure
    .input(planTableSchema)
    .output(passesOn(plannedChangeSchema))
    .mutation(({ ctx, input, signal }) => ctx.imports.planTable(input, signal ?? NEVER)),
  start: procedure
    .input(startImportSchema)
    .output(answersWith(importInfoSchema))
    .mutation(({ ctx, input, signal }) => ctx.imports.start(input, signal ?? NEVER)),
  list: procedure.output(answersWith(z.array(importInfoSchema))).query(({ ctx }) => ctx.imports.list()),
  pause: procedure
    .input(importIdSchema)
    .output(answersWith(importInfoSchema))
    .mutation(({ ctx, input }) => ctx.imports.pause(input.id)),
  resume: procedure
    .input(resumeImportSchema)
    .output(answersWith(importInfoSchema))
    .mutation(({ ctx, input, signal }) => ctx.imports.resume(input, signal ?? NEVER)),
  cancel: procedure
    .input(importIdSchema)
    .output(answersWith(importInfoSchema))
    .mutation(({ ctx, input }) => ctx.imports.cancel(input.id)),
  /** Takes an ended one off the list. */
  clear: procedure
    .input(importIdSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.imports.clear(input.id)),
});
