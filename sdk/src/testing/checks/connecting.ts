import type { HttpCapability } from '../../capabilities/http.ts';
import { isDriverError } from '../../errors.ts';
import type { OpenedTarget } from '../plan.ts';
import { fail, inTime, must, mustBeRefusal, onBench } from '../bench.ts';
import { absent } from '../plan.ts';
import type { ConformanceCheck, ConformancePlan, NotChecked } from '../plan.ts';

/** Answers of other programs than a database: a web page, an empty object, and a proxy that has nothing there. */
const OTHER_PROGRAMS = [
  { what: 'a web page', status: 200, type: 'text/html', body: '<!doctype html><title>Welcome</title><h1>It works!</h1>' },
  { what: 'an empty object', status: 200, type: 'application/json', body: '{}' },
  { what: 'a page that is not found', status: 404, type: 'text/html', body: '<h1>404 Not Found</h1>' },
] as const;

/** Gives one answer to every request. */
function otherProgram({ status, type, body }: (typeof OTHER_PROGRAMS)[number]): HttpCapability {
  return {
    async request({ signal }) {
      signal?.throwIfAborted();
      return {
        status,
        headers: { 'content-type': type, 'content-length': String(body.length) },
        body: (async function* () {
          yield new TextEncoder().encode(body);
        })(),
        text: async () => body,
        discard: async () => undefined,
      };
    },
  };
}

/** Opens a session and asks for the tables. A driver may ask its server for nothing until then. */
async function used(
  plan: ConformancePlan,
  context?: (granted: OpenedTarget['context']) => OpenedTarget['context'],
): Promise<void> {
  await onBench(
    plan,
    async ({ session, options }) => {
      await inTime('listTables', session.listTables(options));
    },
    context === undefined ? {} : { context },
  );
}

/** The error of a call; fails where there is none. */
async function refusalOf(what: string, call: () => Promise<void>): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return fail(`${what} succeeded.`);
}

async function checkCredentials(plan: ConformancePlan): Promise<NotChecked | undefined> {
  const { wrongCredentials: open } = plan;
  if (open === undefined) return absent('The plan opens no database with wrong credentials.');
  const what = 'Connecting with wrong credentials, and listing the tables,';
  mustBeRefusal(what, await refusalOf(what, () => used({ ...plan, open })), ['ACCESS_REFUSED']);
  return undefined;
}

async function checkServer(plan: ConformancePlan): Promise<NotChecked | undefined> {
  const target = await plan.open();
  await target.close?.();
  if (target.context.http === undefined) return absent('The driver speaks no HTTP.');
  for (const program of OTHER_PROGRAMS) {
    const what = `Connecting to a program that answers with ${program.what}, and listing the tables,`;
    const error = await refusalOf(what, () => used(plan, (granted) => ({ ...granted, http: otherProgram(program) })));
    // Of the bench: it says what it was.
    if (!isDriverError(error)) throw error;
    must(error.message.trim() !== '', `${what} ended in an error that says nothing.`);
  }
  return undefined;
}

/** A connection that can't work is refused when it is made. */
export function connectingChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'wrong credentials are refused as such, when connecting or at the first question',
      run: () => checkCredentials(plan),
    },
    { name: 'another program at the address is not taken for the database', run: () => checkServer(plan) },
  ];
}
