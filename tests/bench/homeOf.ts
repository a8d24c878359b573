import { z } from 'zod';
import type { Runtime } from '../../host/src/runtime/runtime.ts';

const infoSchema = z.object({ result: z.object({ data: z.object({ home: z.string() }) }) });

/** The data directory of a runtime. */
export async function homeOf(runtime: Runtime): Promise<string> {
  const answer = await runtime.handler(new Request('http://host/api/trpc/application.info'));
  return infoSchema.parse(await answer.json()).result.data.home;
}
