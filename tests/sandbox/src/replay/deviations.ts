import type { SandboxVersion } from '../versions.ts';

export interface Deviation {
  readonly n: number;
  readonly case: string;
  /** Every version, where none is named. */
  readonly versions?: readonly SandboxVersion[];
  readonly reason: string;
}

/** Several calls with one reason. */
const named = (
  { reason, versions }: Pick<Deviation, 'reason' | 'versions'>,
  cases: Readonly<Record<number, string>>,
): Deviation[] =>
  Object.entries(cases).map(([n, name]) => ({
    n: Number(n),
    case: name,
    ...(versions === undefined ? {} : { versions }),
    reason,
  }));

/** The recorded calls the sandbox answers differently, all of them, with the reason. */
export const deviations: readonly Deviation[] = [
  ...['debug', 'debug, key as query parameter'].map((name, at) => ({
    n: at + 1,
    case: name,
    versions: ['30.0' as const],
    reason: 'The server that was asked was built before 30.0 was released and calls itself 30.0-dev.',
  })),
  {
    n: 15,
    case: 'CORS preflight',
    versions: ['30.0'],
    reason: 'The server that was asked was started without `--enable-cors`, with which the others answered.',
  },
  {
    n: 576,
    case: 'stats.json after load',
    versions: ['30.0'],
    reason: 'The server that was asked had been idle for longer than the ten seconds its figures cover.',
  },
  ...named(
    {
      reason: 'The sandbox knows the words and shapes of places only, and shows scores and distances only where there are some.',
    },
    {
      4041: 'filter place:(1,2,3,4)',
      4082: 'sort place:asc',
      4084: 'sort place(48.9,2.3):asc',
      4089: 'sort _text_match:asc',
    },
  ),
  ...named(
    { reason: 'What a real server makes of a parameter in another form than it has to be is not imitated.' },
    {
      4159: 'pinned_hits malformed',
      4173: 'validate_field_names false',
    },
  ),
  ...named(
    { reason: 'There are no models: conversations, natural language and personalization are not there.' },
    {
      4175: 'conversation without a model',
      4176: 'conversation model unknown',
      4177: 'nl_query without a model',
      4178: 'nl_query model unknown',
      4180: 'personalization without a model',
      4466: 'conversation model without anything',
      4467: 'conversation model that is missing',
      4468: 'natural language model without anything',
      4469: 'natural language model that is missing',
    },
  ),
  ...named(
    { reason: 'A vector query by the id of a document finds that document as well.' },
    {
      4187: 'vector query vec:([], id: 1)',
    },
  ),
  ...named(
    { reason: 'Faults are looked for in another order, or counted in characters instead of bytes.' },
    {
      4295: 'change by filter: wrong type',
      4311: 'one document over several lines',
      4328: 'a field without a name',
      4339: 'a field twice',
      4347: 'sort of a list of texts',
      4372: 'list: exclude_fields',
      4382: 'a type that is unknown',
    },
  ),
  ...named(
    { reason: 'There are no embeddings, so what they need is not checked.' },
    {
      4359: 'an embedding from a field that is missing',
      4360: 'an embedding without a model',
    },
  ),
  ...named(
    { reason: 'Stemming dictionaries cannot be written.' },
    {
      4427: 'stemming dictionary that is missing',
      4428: 'stemming import without an id',
      4429: 'stemming import: not JSON',
      4430: 'stemming import: no root',
    },
  ),
  ...named(
    { reason: 'An event of a rule that is not there is taken and forgotten.', versions: ['29.0' as const] },
    {
      4465: 'analytics event of a rule that is missing',
    },
  ),
  ...named(
    {
      reason:
        'A rule that diversifies is checked and shown as it was sent; real servers put quotes into the text of that error without escaping them.',
      versions: ['30.0' as const],
    },
    {
      4449: 'diversity that is text',
      4451: 'diversity by a method that is unknown',
    },
  ),
  ...named(
    { reason: 'Rate limits and the proxy are not there.' },
    {
      4470: 'rate limit without anything',
      4472: 'proxy without an address',
    },
  ),
];

export const isDeviating = (n: number, version: SandboxVersion): boolean =>
  deviations.some((deviation) => deviation.n === n && (deviation.versions?.includes(version) ?? true));
