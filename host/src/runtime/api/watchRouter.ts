import { streamsOn } from './procedureAnswer.ts';
import { followSchema, watchEventSchema } from '../../common/watchesApi.ts';
import { followTopics } from './followTopics.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Topics that windows follow as long as they are open, in one stream. */
export const watchRouter = router({
  follow: procedure
    .input(followSchema)
    .output(streamsOn(watchEventSchema))
    .mutation(async function* ({ ctx, input, signal }) {
      yield* followTopics(ctx, input.topics, signal ?? NEVER);
    }),
});
