import { boundedSchema } from '@tabularium/sdk/protocol';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { PAGE_PATH, ROUTER_PATH, ROWS_PATH, readPageSchema, tableRowsSchema } from '../../common/api.ts';
import { RUN_PATH } from '../../common/console.ts';
import { LARGEST_PIECE, UPLOAD_PATH, uploadQuerySchema } from '../../common/imports.ts';
import { WINDOW_EXPORT_PATH, windowExportSchema } from '../../common/transfer.ts';
import type { ErrorReport } from '../../common/errorReport.ts';
import { DRIVER_FILE_PATH, driverFileQuerySchema } from '../../common/driversApi.ts';
import { HostError } from '../../common/errors.ts';
import type { FetchHandler } from '../../common/fetchHandler.ts';
import type { PageAnswer, RowsAnswer } from '../data/pageAnswer.ts';
import type { Logger } from '../storage/logger.ts';
import { errorReport } from '../errors/errorReport.ts';
import { statementIn } from '../errors/statementIn.ts';
import { appRouter } from './router.ts';
import { runAnswer } from './runAnswer.ts';
import type { ApiContext } from './context.ts';

const STATUS: Partial<Record<ErrorReport['code'], number>> = {
  INVALID_REQUEST: 400,
  INVALID_INPUT: 400,
  CONNECTION_NAME_TAKEN: 409,
  SECRET_MISSING: 409,
  SECRET_NOT_CONFIRMED: 409,
  SSH_KEY_UNKNOWN: 409,
  SSH_KEY_CHANGED: 409,
  SECURE_STORE_UNAVAILABLE: 409,
  CONNECTION_UNKNOWN: 404,
  NOT_FOUND: 404,
  APPROVAL_REQUIRED: 409,
  SESSION_LIMIT: 409,
  CANCELLED: 499,
  INTERNAL: 500,
};

/** The runtime's one fetch-shaped handler, for every transport. It trusts its caller: the transport has checked who asks. */
export function createApiHandler(services: ApiContext, logger: Logger): FetchHandler {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === PAGE_PATH) {
      return batch(logger, PAGE_PATH, request, async (body) => {
        const input = boundedSchema(readPageSchema).parse(body);
        return services.tables.readPage(input.connectionId, input.request, request.signal);
      });
    }
    if (pathname === ROWS_PATH) {
      return batch(logger, ROWS_PATH, request, async (body) => {
        const input = boundedSchema(tableRowsSchema).parse(body);
        return services.tables.readRows(input.connectionId, input.request, request.signal);
      });
    }
    if (pathname === RUN_PATH) return run(services, logger, request);
    if (pathname === WINDOW_EXPORT_PATH) return windowExport(services, logger, request);
    if (pathname === UPLOAD_PATH) return piece(services, logger, request);
    if (pathname === DRIVER_FILE_PATH) return driverFile(services, logger, request);
    if (pathname.startsWith(`${ROUTER_PATH}/`)) {
      return fetchRequestHandler({
        endpoint: ROUTER_PATH,
        req: request,
        router: appRouter,
        createContext: () => services,
        responseMeta: ({ errors }) => {
          const [first] = errors;
          if (first === undefined || errors.length > 1) return {};
          // The router's own refusals have statuses of their own.
          const status = STATUS[errorReport(first.cause ?? first).code];
          return status === undefined || first.cause === undefined ? {} : { status };
        },
        onError: ({ error, path }) => logIfUnexpected(logger, path ?? 'unknown call', error.cause ?? error),
      });
    }
    return Response.json(errorReport(new HostError('INVALID_REQUEST', `Nothing was found at ${pathname}.`)), { status: 404 });
  };
}

/** Rows as the driver encoded them, behind a line that says what they are. */
async function batch(
  logger: Logger,
  path: string,
  request: Request,
  read: (body: unknown) => Promise<PageAnswer | RowsAnswer>,
): Promise<Response> {
  if (request.method !== 'POST') {
    return Response.json(errorReport(new HostError('INVALID_REQUEST', 'Pages are asked for by POST.')), {
      status: 405,
      headers: { allow: 'POST' },
    });
  }
  try {
    const answer = await read(await readJson(request));
    const head = new TextEncoder().encode(`${JSON.stringify(answer.head)}\n`);
    // Two chunks: the batch goes out as it came from the driver, without a copy.
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(head);
        controller.enqueue(answer.batch);
        controller.close();
      },
    });
    return new Response(body, {
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(head.byteLength + answer.batch.byteLength),
      },
    });
  } catch (error) {
    logIfUnexpected(logger, path, error);
    const report = errorReport(error);
    return Response.json(report, { status: STATUS[report.code] ?? 502 });
  }
}

/** An archive that a person picked or dropped comes in as the body; an installed driver goes out as one. */
async function driverFile(services: ApiContext, logger: Logger, request: Request): Promise<Response> {
  try {
    const query = driverFileQuerySchema.parse(Object.fromEntries(new URL(request.url).searchParams));
    if (request.method === 'POST') {
      const archive = request.body ?? new Uint8Array();
      const { name = 'The file', allowDowngrade } = query;
      return Response.json(await services.driverManagement.installArchive(archive, name, request.signal, allowDowngrade));
    }
    if (request.method !== 'GET' || query.driver === undefined)
      throw new HostError('INVALID_REQUEST', 'An archive is sent by POST, or asked for by GET with the name of a driver.');
    const { name, content } = await services.driverManagement.bundle(query.driver, query.version);
    return new Response(content instanceof Uint8Array ? content : streamOf(content), {
      headers: { 'content-type': 'application/octet-stream', 'content-disposition': `attachment; filename="${name}"` },
    });
  } catch (error) {
    logIfUnexpected(logger, DRIVER_FILE_PATH, error);
    const report = errorReport(error);
    return Response.json(report, { status: STATUS[report.code] ?? 502 });
  }
}

/** A body that is made as fast as it is taken. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: () => void pieces.return(undefined),
    },
    { highWaterMark: 0 },
  );
}

/** A piece of a file to import. */
async function piece(services: ApiContext, logger: Logger, request: Request): Promise<Response> {
  try {
    if (request.method !== 'POST') throw new HostError('INVALID_REQUEST', 'A piece of a file is sent by POST.');
    const { id, offset } = uploadQuerySchema.parse(Object.fromEntries(new URL(request.url).searchParams));
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > LARGEST_PIECE) throw new HostError('INVALID_REQUEST', `A piece has at most ${LARGEST_PIECE} bytes.`);
    await services.uploads.add(id, offset, bytes);
    return new Response(null, { status: 204 });
  } catch (error) {
    logIfUnexpected(logger, UPLOAD_PATH, error);
    const report = errorReport(error);
    return Response.json(report, { status: STATUS[report.code] ?? 502 });
  }
}

/** The content of a file that the window saves. Ends early, as an error, where the export does not end well. */
async function windowExport(services: ApiContext, logger: Logger, request: Request): Promise<Response> {
  if (request.method !== 'POST') {
    return Response.json(errorReport(new HostError('INVALID_REQUEST', 'Exports are asked for by POST.')), {
      status: 405,
      headers: { allow: 'POST' },
    });
  }
  try {
    const content = services.transfers.startInWindow(boundedSchema(windowExportSchema).parse(await readJson(request)));
    return new Response(content, { headers: { 'content-type': 'application/octet-stream' } });
  } catch (error) {
    logIfUnexpected(logger, WINDOW_EXPORT_PATH, error);
    const report = errorReport(error);
    return Response.json(report, { status: STATUS[report.code] ?? 502 });
  }
}

async function run(services: ApiContext, logger: Logger, request: Request): Promise<Response> {
  if (request.method !== 'POST') {
    return Response.json(errorReport(new HostError('INVALID_REQUEST', 'Statements are sent by POST.')), {
      status: 405,
      headers: { allow: 'POST' },
    });
  }
  const failed = (error: unknown): void => logIfUnexpected(logger, RUN_PATH, error);
  let input: unknown;
  try {
    input = await readJson(request);
    return await runAnswer(services, input, request.signal, failed);
  } catch (error) {
    failed(error);
    const report = errorReport(error, statementIn(input));
    return Response.json(report, { status: STATUS[report.code] ?? 502 });
  }
}

async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch (cause) {
    throw new HostError('INVALID_REQUEST', 'The body is not JSON.', { cause });
  }
}

function logIfUnexpected(logger: Logger, what: string, error: unknown): void {
  if (errorReport(error).code === 'INTERNAL') logger.error(`${what} failed unexpectedly`, error);
}
