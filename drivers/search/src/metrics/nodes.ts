import { DriverError, isDriverError } from '@tabularium/sdk';
import type { DriverTexts, Metric, MetricsReading, NodeReading } from '@tabularium/sdk';
import { badAnswer } from '../client.ts';
import type { SearchClient } from '../client.ts';
import type { JsonObject } from '../guards.ts';
import { isObject, textOfField } from '../guards.ts';
import { listOfNotes } from '../notes.ts';
import type { Note } from '../notes.ts';
import { CARD_FIELDS, NODE_FIELDS, SOURCES, numberOf, metricOf } from './metricFields.ts';
import { faultTexts } from '../faultTexts.ts';

/** A node has this long for everything that it is asked. The others don't wait for it, and the person waits no longer. */
export const NODE_MILLISECONDS = 4_000;

const PATHS = { ...SOURCES, debug: '/debug' } as const;
type Path = keyof typeof PATHS;

/** The answers of one node. */
interface Asked {
  readonly name: string;
  readonly state: NodeReading['state'];
  readonly message: string | undefined;
  /** Only of a message that this driver made, and alone. */
  readonly texts: DriverTexts | undefined;
  readonly values: Readonly<Partial<Record<Path, JsonObject>>>;
  /** Paths that the key may not read. */
  readonly refused: readonly DriverError[];
}

/** All nodes at the same time, each within its own time: one that is stopped or hangs takes nothing from the others. */
export async function readNodes(client: SearchClient, signal: AbortSignal): Promise<MetricsReading> {
  const asked = await Promise.all(client.nodes.map((name, node) => ask(name, node, client, signal)));
  const cards = asked.map(({ values }) => CARD_FIELDS.flatMap((field) => metricFrom(field, values)));
  const preferred = [client.lastNode, ...asked.keys()].find((node) => (cards[node] ?? []).length > 0);
  const furthest = Math.max(...asked.map(({ values }) => committedOf(values) ?? 0));
  return {
    metrics: preferred === undefined ? [] : (cards[preferred] ?? []),
    problems: problemsOf(asked),
    nodes: asked.map((node) => readingOf(node, furthest)),
    ...(preferred === undefined ? {} : { node: asked[preferred]?.name ?? '' }),
    ...listOfNotes(notesOf(asked)),
  };
}

async function ask(name: string, node: number, client: SearchClient, signal: AbortSignal): Promise<Asked> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(NODE_MILLISECONDS)]);
  const read = async (path: string): Promise<JsonObject | DriverError> => {
    try {
      const { value } = await client.readOf(node, path, limited);
      return isObject(value) ? value : badAnswer(`GET ${path}`, "it isn't an object");
    } catch (error) {
      if (signal.aborted || !isDriverError(error)) throw error;
      return limited.aborted
        ? new DriverError('TIMEOUT', `It didn't answer within ${NODE_MILLISECONDS / 1_000} s.`, {
            details: { texts: faultTexts('fault.nodeSilent', { seconds: NODE_MILLISECONDS / 1_000 }) },
          })
        : error;
    }
  };
  // It needs no key. A node that doesn't answer it isn't asked for more.
  const health = await read('/health');
  const fitness = fitnessOf(health);
  if (fitness.state === 'unreachable') return { name, ...fitness, values: {}, refused: [] };
  const paths = Object.keys(PATHS) as Path[];
  const answers = await Promise.all(paths.map((path) => read(PATHS[path])));
  const values: Partial<Record<Path, JsonObject>> = {};
  const refused: DriverError[] = [];
  const failed: string[] = [];
  for (const [index, path] of paths.entries()) {
    const answer = answers[index];
    if (!isDriverError(answer)) values[path] = answer;
    else if (answer.code === 'ACCESS_REFUSED') refused.push(answer);
    else failed.push(`${PATHS[path]} couldn't be read: ${answer.message}`);
  }
  const sentences = [fitness.message, ...failed].filter((sentence) => sentence !== undefined);
  return {
    name,
    state: failed.length > 0 ? 'limited' : fitness.state,
    message: sentences.length === 0 ? undefined : sentences.join(' '),
    texts: failed.length > 0 ? undefined : fitness.texts,
    values,
    refused,
  };
}

function fitnessOf(health: JsonObject | DriverError): Pick<Asked, 'state' | 'message' | 'texts'> {
  if (isDriverError(health)) {
    if (health.code !== 'SERVER_NOT_READY') return { state: 'unreachable', message: health.message, texts: undefined };
    return {
      state: 'limited',
      texts: { message: { id: 'node.notReady' } },
      message: 'It answers that it is not ready: it is starting, it lags behind, or too few nodes of its cluster are running.',
    };
  }
  if (health['ok'] !== true) {
    const message = 'Its answer to GET /health does not come from a search server.';
    return { state: 'unreachable', message, texts: { message: { id: 'node.other' } } };
  }
  const short = textOfField(health, 'resource_error');
  if (short === undefined) return { state: 'ready', message: undefined, texts: undefined };
  const what = { OUT_OF_DISK: 'disk', OUT_OF_MEMORY: 'memory' }[short];
  return {
    state: 'limited',
    texts: { message: { id: 'node.full', values: { what: what ?? 'resources' } } },
    message: `It rejects writes: its ${what ?? 'resources'} ${what === undefined ? 'are' : 'is'} almost full.`,
  };
}

function readingOf({ name, state, message, texts, values }: Asked, furthest: number): NodeReading {
  const committed = committedOf(values);
  const behind: Metric | undefined = committed === undefined ? undefined : { ...BEHIND, value: furthest - committed };
  const metrics = NODE_FIELDS.flatMap((field) => metricFrom(field, values));
  const role = roleOf(values);
  const version = values.debug === undefined ? undefined : textOfField(values.debug, 'version');
  return {
    name,
    state,
    ...(message === undefined ? {} : { message }),
    ...(texts === undefined ? {} : { texts }),
    facts: [
      ...(role === undefined ? [] : [factOfRole(role)]),
      ...(version === undefined || version === ''
        ? []
        : [{ id: 'version', label: 'Version', value: version.slice(0, 200), texts: { label: { id: 'fact.version.label' } } }]),
    ],
    metrics: metrics.flatMap((metric) => (metric.id === 'committed' && behind !== undefined ? [metric, behind] : [metric])),
  };
}

function factOfRole(role: string): NodeReading['facts'][number] {
  return {
    id: 'role',
    label: 'Role',
    value: role,
    texts: { label: { id: 'fact.role.label' } },
  };
}

const BEHIND = {
  id: 'behind',
  label: 'Entries Behind',
  unit: 'count',
  help: 'Committed entries that it has fewer than the furthest of these nodes. They are read one moment after the other, so a few are normal.',
  texts: { label: { id: 'metric.behind.label' }, help: { id: 'metric.behind.help' } },
} as const;

function metricFrom(field: (typeof CARD_FIELDS)[number], values: Asked['values']): Metric[] {
  const source = values[field.source];
  const metric = source === undefined ? undefined : metricOf(field, source);
  return metric === undefined ? [] : [metric];
}

function committedOf({ status }: Asked['values']): number | undefined {
  return status === undefined ? undefined : numberOf(status, 'committed_index');
}

/** States of `/debug`; the others are passed through on the way from one of these to the other. */
const DEBUG_ROLES: Readonly<Record<number, string>> = { 1: 'Leader', 4: 'Follower' };

/** `LEADER` as `Leader`. Keys that may not read `/status` may be allowed `/debug`. */
function roleOf({ status, debug }: Asked['values']): string | undefined {
  const state = status === undefined ? undefined : textOfField(status, 'state');
  if (state !== undefined && state !== '') return `${state.slice(0, 1)}${state.slice(1, 40).toLowerCase()}`;
  const number = debug === undefined ? undefined : numberOf(debug, 'state');
  return number === undefined ? undefined : DEBUG_ROLES[number];
}

function problemsOf(asked: readonly Asked[]): MetricsReading['problems'] {
  if (asked.every(({ state }) => state === 'unreachable'))
    return [{ source: SOURCES.metrics, message: 'No node of this connection answers.', texts: { message: { id: 'node.none' } } }];
  // The key is the same for every node, so one sentence is enough.
  const refused = new Map(asked.flatMap((node) => node.refused.map((error) => [error.details.request ?? '', error.message])));
  return [...refused].map(([request, message]) => ({ source: request.replace(/^GET /, ''), message }));
}

function notesOf(asked: readonly Asked[]): Note[] {
  const roles = asked.map(({ values }) => roleOf(values)).filter((role) => role !== undefined);
  const leaders = roles.filter((role) => role === 'Leader').length;
  if (leaders > 1)
    return [
      {
        text: `${leaders} of these nodes say that they are the leader. They may belong to different clusters: check the nodes of the connection.`,
        translation: { id: 'node.leaders', values: { leaders } },
      },
    ];
  if (roles.length === 0 || leaders === 1) return [];
  return [
    {
      text: 'None of the nodes that answer is the leader. Unless the leader is a node that this connection does not name, writes fail until the cluster has elected one.',
      translation: { id: 'node.noLeader' },
    },
  ];
}
