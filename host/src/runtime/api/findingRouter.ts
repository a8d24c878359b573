import { findRowsEventSchema, findRowsSchema } from '../../common/findingRows.ts';
import { streams } from './procedureAnswer.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Rows that hold a text, in all tables of a connection. */
export const findingRouter = router({
  /** Ends when every table has answered, or when the caller stops reading. */
  find: procedure
    .input(findRowsSchema)
    .output(streams(findRowsEventSchema))
    .mutation(async function* ({ ctx, input, signal }) {
      yield* ctx.rowFinder.find(input, signal ?? NEVER);
    }),
});
