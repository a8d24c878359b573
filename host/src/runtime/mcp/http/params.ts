import { z } from 'zod';
import { MCP_CODES } from '../server/codes.ts';
import { errorAnswer } from './answers.ts';
import type { RpcMessage } from './message.ts';

/** Characters of the place of a fault: the names in it are the client's. */
const LONGEST_PLACE = 120;

const texts = z.record(z.string(), z.string());
/** RFC 5424's, as the protocol names them. */
export const mcpLogLevelSchema = z.enum(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']);
export type McpLogLevel = z.output<typeof mcpLogLevelSchema>;
const page = z.looseObject({ cursor: z.string().optional() });

/** The required parameters of each request, as far as the protocol library would answer a fault with its own text. */
const PARAMS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['tools/list', page],
  ['resources/list', page],
  ['resources/templates/list', page],
  ['prompts/list', page],
  ['tools/call', z.looseObject({ name: z.string(), arguments: z.looseObject({}).optional() })],
  ['resources/read', z.looseObject({ uri: z.string() })],
  ['prompts/get', z.looseObject({ name: z.string(), arguments: texts.optional() })],
  [
    'completion/complete',
    z.looseObject({
      ref: z.discriminatedUnion('type', [
        z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
        z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
      ]),
      argument: z.looseObject({ name: z.string(), value: z.string() }),
      context: z.looseObject({ arguments: texts.optional() }).optional(),
    }),
  ],
]);

/** The same for requests that only a session supports. */
const SESSION_PARAMS: ReadonlyMap<string, z.ZodType> = new Map([
  ['logging/setLevel', z.looseObject({ level: mcpLogLevelSchema })],
]);

/**
 * Refuses a request whose parameters have a wrong type or are missing, with -32602 and one sentence. The protocol library answers with
 * -32603 and the text of its validator. Call it after `isLargeEnvelope`: every fault costs time.
 */
export function refuseParams(message: RpcMessage): Response | undefined {
  return refuseBy(PARAMS, message);
}

/** The same for requests that only a session supports: everywhere else their methods do not exist. */
export function refuseSessionParams(message: RpcMessage): Response | undefined {
  return refuseBy(SESSION_PARAMS, message);
}

function refuseBy(schemas: ReadonlyMap<string, z.ZodType>, { body, method, id }: RpcMessage): Response | undefined {
  const schema = method === undefined || id === undefined ? undefined : schemas.get(method);
  const issue = schema?.safeParse(body['params'] ?? {}).error?.issues[0];
  if (issue === undefined) return undefined;
  const place = ['params', ...issue.path.map(String)].join('.').slice(0, LONGEST_PLACE);
  const fault = issue.message.replace(/^Invalid input: /, '').slice(0, LONGEST_PLACE);
  return errorAnswer(200, MCP_CODES.invalidParams, `Invalid params: ${place}: ${fault}. Correct it and send the request again.`, {
    id,
  });
}
