import { problemOf } from '../problem.ts';
import { whenHostIsUp } from './hostLink.ts';

const MOST_ATTEMPTS = 4;

/** Calls the host when it is there, and again where it went away meanwhile. Only for calls that may arrive twice. @throws what the call throws otherwise */
export async function persistently<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    await whenHostIsUp();
    try {
      return await call();
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || problemOf(error).code !== 'HOST_UNREACHABLE') throw error;
    }
  }
}
