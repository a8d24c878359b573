import type { OpeningEvent, OpeningStep } from '../../../common/opening.ts';
import { progressStream } from '../../../common/progressStream.ts';
import type { OpenSession } from '../../data/sessions.ts';
import type { OwnerContext } from './ownerContext.ts';

/** Opens a connection where it is not open, and reports what that waits for. @returns the session */
export async function* openSession(
  { sessions }: Pick<OwnerContext, 'sessions'>,
  connectionId: string,
  signal: AbortSignal,
): AsyncGenerator<OpeningEvent, OpenSession> {
  let session: OpenSession | undefined;
  const steps = progressStream<OpeningStep>(async (notify) => {
    session = await sessions.use(connectionId, (open) => Promise.resolve(open), { signal, onProgress: notify });
  });
  for await (const step of steps)
    yield step.step === 'installing' ? { type: 'install', progress: step.install } : { type: 'connecting' };
  if (session === undefined) throw new Error('a connection was opened without a session');
  return session;
}
