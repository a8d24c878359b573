import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { DriverError, isDriverError, NO_FILTER } from '@tabularium/sdk';
import type { Session } from '@tabularium/sdk';
import { orchardManifest } from '../orchard/plan.ts';
import { SECRET } from '../orchard/world.ts';
import { acts, connects, deaf, declares } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';

const HELLO = ['core', 'a session names its product, gives its findings in sentences and answers a ping'] as const;
const NOT_FOUND = ['core', 'a table that does not exist is NOT_FOUND, whatever its name'] as const;
const STALLED = ['core', 'a call whose server does not answer ends when it is cancelled'] as const;
const CLOSED = ['core', 'a session that was closed refuses every call'] as const;
const LEFT = ['core', 'a session that was closed leaves nothing behind: no timer, no socket, no open file'] as const;
const LISTED = ['core', 'every known table is listed, once, with a right count'] as const;
const DESCRIBED = ['core', 'every listed table can be described, and its description keeps to the manifest'] as const;
const MANIFEST = ['core', 'the manifest is valid and has the driver’s id'] as const;

function fail(): never {
  throw new Error('An orchard is reached over HTTP.');
}

/** Resources that the drivers of this file leave behind, removed after the test. */
export const leftovers: (() => void)[] = [];

/** Every description of a table is refused with this error. */
const describing = (name: string, says: RegExp, fault: () => unknown): Seeded =>
  acts(name, NOT_FOUND, says, (session) => ({
    describeTable: (table, options) =>
      session.describeTable(table, options).catch(() => {
        throw fault();
      }),
  }));

const CREDENTIALS = ['core', 'wrong credentials are refused as such, when connecting or at the first question'] as const;
const OTHER_PROGRAM = ['core', 'another program at the address is not taken for the database'] as const;

export const sessionFaults: readonly Seeded[] = [
  connects(
    'a wrong password that is reported as a fault of the server',
    CREDENTIALS,
    /SERVER_ERROR .*instead of ACCESS_REFUSED/,
    (correct) => (settings, context, options) =>
      correct(settings, context, options).catch((error: unknown) => {
        throw isDriverError(error) && error.code === 'ACCESS_REFUSED' ? new DriverError('SERVER_ERROR') : error;
      }),
  ),
  connects(
    'any program that answers, taken for the database',
    OTHER_PROGRAM,
    /answers with an empty object, and listing the tables, succeeded/,
    (correct) => (settings, context, options) =>
      correct(
        settings,
        {
          ...context,
          ...(context.http === undefined
            ? {}
            : {
                http: {
                  request: async (request) => {
                    const response = await (context.http ?? fail()).request(request);
                    const isJson = response.headers['content-type'] === 'application/json';
                    return isJson ? { ...response, headers: { 'x-orchard': '1' } } : response;
                  },
                },
              }),
        },
        options,
      ),
  ),
  declares('a manifest of another database', MANIFEST, /The manifest says "pond"/, {
    manifest: { ...orchardManifest, id: 'pond' },
  }),
  declares('a manifest that nothing can be drawn from', MANIFEST, /not valid: icon/, {
    manifest: { ...orchardManifest, icon: '<svg/>' },
  }),
  declares('a console without a name', ['core', 'the manifest has words for every facet of the session'], /what it is called/, {
    manifest: { ...orchardManifest, console: undefined },
  }),
  acts('a product without a name', HELLO, /product is empty/, () => ({ server: { product: ' ' } })),
  acts('a finding that lacks a verb', HELLO, /isn't a sentence/, () => ({
    findings: [{ label: 'Gate', outcome: 'ok', message: 'gate ok' }],
  })),
  acts('a password in a finding', HELLO, /A finding holds a credential/, () => ({
    findings: [{ label: 'Gate', outcome: 'ok', message: `Opened with ${SECRET}.` }],
  })),
  acts('a password in an error', HELLO, /An error of ping holds a credential/, () => ({
    ping: () => Promise.reject(new DriverError('ACCESS_REFUSED', `The password ${SECRET} was refused.`)),
  })),
  acts('a password in the details of an error', HELLO, /An error of ping holds a credential/, () => ({
    ping: () =>
      Promise.reject(new DriverError('ACCESS_REFUSED', 'It was refused.', { details: { request: `GET /?key=${SECRET}` } })),
  })),
  acts('a password in the log', HELLO, /A log line holds a credential/, (session, { context }) => ({
    ping: async (options) => {
      context.log('info', `ping with ${SECRET}`);
      return session.ping(options);
    },
  })),
  acts('a table that is listed twice', LISTED, /listed twice/, (session) => ({
    listTables: async (options) => {
      const tables = await session.listTables(options);
      return [...tables, ...tables.slice(0, 1)];
    },
  })),
  acts('a table that is not listed', LISTED, /picks is not listed/, (session) => ({
    listTables: async (options) => (await session.listTables(options)).filter(({ ref }) => ref.name !== 'picks'),
  })),
  acts('a filter class that the manifest does not have', DESCRIBED, /which the manifest does not have/, (session) => ({
    describeTable: async (ref, options) => {
      const table = await session.describeTable(ref, options);
      return { ...table, columns: table.columns.map((column) => ({ ...column, filterClass: 'constructor' })) };
    },
  })),
  acts('a key without a column', DESCRIBED, /which isn't a column/, (session) => ({
    describeTable: async (ref, options) => ({ ...(await session.describeTable(ref, options)), key: ['uuid'] }),
  })),
  acts('a column that cannot be sorted by, without a reason', DESCRIBED, /does not say why/, (session) => ({
    describeTable: async (ref, options) => {
      const table = await session.describeTable(ref, options);
      return { ...table, columns: table.columns.map((column) => ({ ...column, sortable: { allowed: false, reason: '' } })) };
    },
  })),
  describing(
    'an error without a code',
    /threw Error: no such table.* instead of a DriverError/,
    () => new Error('no such table'),
  ),
  describing('an error with a code of its own', /code ENOENT, which the contract does not have/, () =>
    Object.assign(new Error('no such file'), { code: 'ENOENT' }),
  ),
  describing('an error that is a text', /threw no such table instead/, () => 'no such table'),
  describing(
    'an error whose message is a code',
    /isn't a sentence: "E_NO_TABLE"/,
    () => new DriverError('NOT_FOUND', 'E_NO_TABLE'),
  ),
  describing('an error that shows the calls that led there', /isn't a sentence/, () => {
    const { stack = '' } = new Error('There is no such table.');
    return new DriverError('NOT_FOUND', stack);
  }),
  describing('a wrong code', /ended in SERVER_ERROR/, () => new DriverError('SERVER_ERROR', 'The table is not there.')),
  acts('a table that does not exist, and is empty', NOT_FOUND, /countRows.*succeeded/, (session) => ({
    countRows: (asked, options) => session.countRows(asked, options).catch(() => ({ rows: 0, exact: true })),
  })),
  acts('a name that breaks the statement it is pasted into', NOT_FOUND, /threw SyntaxError/, (session) => ({
    describeTable: async (ref, options) => {
      if (ref.name.includes('"')) throw new SyntaxError('near "y": syntax error');
      return session.describeTable(ref, options);
    },
  })),
  acts(
    'a call that was cancelled before it began, and is made all the same',
    ['core', 'a call that was cancelled before it began is given up'],
    /listTables.*succeeded/,
    (session) => ({
      listTables: () => session.listTables(deaf),
    }),
  ),
  acts(
    'a cancelled call that fails in a way of its own',
    ['core', 'a call that is cancelled while it runs ends soon, and the session continues'],
    /ended in SERVER_ERROR/,
    (session) => ({
      countRows: async (asked, { signal }) => {
        const count = await session.countRows(asked, deaf);
        if (signal.aborted) throw new DriverError('SERVER_ERROR', 'The statement failed.');
        return count;
      },
    }),
  ),
  connects(
    'a connection that cannot be cancelled',
    ['core', 'connecting can be cancelled'],
    /succeeded; it must be given up/,
    (connect) => (settings, context) => connect(settings, context, deaf),
  ),
  acts('a read that does not hand its signal on', STALLED, /readPage after it was cancelled did not end within/, (session) => ({
    readPage: async (asked, { signal }) => {
      signal.throwIfAborted();
      return session.readPage(asked, deaf);
    },
  })),
  acts(
    'an export that does not hand its signal on',
    STALLED,
    /export\.rows after it was cancelled did not end within/,
    (session) => ({
      export: { ...session.export, rows: (request) => session.export.rows(request, deaf) },
    }),
  ),
  acts('a session that answers after it was closed', CLOSED, /listTables.*succeeds/, (session, world) => ({
    listTables: (options) => {
      world.closed = false;
      return session.listTables(options);
    },
  })),
  acts('a closed session that fails in a way of its own', CLOSED, /threw TypeError/, (session, world) => ({
    ping: async (options) => {
      if (world.closed) throw new TypeError('Cannot read properties of null');
      return session.ping(options);
    },
  })),
  acts(
    'a call in progress that continues when its session is closed',
    ['core', 'closing a session ends the calls that are in progress'],
    /did not end within/,
    (session, world) => ({
      countRows: (asked, options) =>
        session.countRows(asked, options).catch((error: unknown) => {
          if (world.closed) return new Promise<never>(() => undefined);
          throw error;
        }),
    }),
  ),
  acts('a timer that continues', LEFT, /leaves something behind: Timeout/, () => {
    const timer = setInterval(() => undefined, 60_000);
    leftovers.push(() => clearInterval(timer));
    return {};
  }),
  acts('a socket that stays open', LEFT, /leaves something behind: TCP/, () => {
    const server = createServer().listen(0, '127.0.0.1');
    leftovers.push(() => server.close());
    return {};
  }),
  acts('a file that stays open', LEFT, /leaves something behind: open file/, () => {
    const file = openSync('/dev/null', 'r');
    leftovers.push(() => closeSync(file));
    return {};
  }),
  connects('a session that ends the other one', ['core', 'two sessions do not disturb each other'], /./, (connect) => {
    let last: Session | undefined;
    return async (settings, context, options) => {
      const session = await connect(settings, context, options);
      const before = last;
      last = session;
      return {
        ...session,
        async close() {
          await before?.close();
          await session.close();
        },
      };
    };
  }),
  acts(
    'an end of calls that others pay for',
    ['core', 'a call that is cancelled while it runs ends soon, and the session continues'],
    /connection was lost/,
    (session) => {
      let broken = false;
      return {
        countRows: (asked, options) =>
          session.countRows({ ...asked, filter: NO_FILTER }, options).catch((error: unknown) => {
            broken = true;
            throw error;
          }),
        ping: async (options) => {
          if (broken) throw new DriverError('CONNECTION_LOST', 'The connection was lost when a call was cancelled.');
          return session.ping(options);
        },
      };
    },
  ),
];
