import type { Engine } from './engine.ts';

/** One request, read and authenticated. */
export interface Call {
  readonly engine: Engine;
  readonly method: string;
  readonly path: string;
  readonly params: Map<string, string>;
  /** Values of the `:name` parts of the route. */
  readonly captured: Readonly<Record<string, string>>;
  readonly body: string;
  readonly key: string;
  /** The owner of these searches, for analytics: the user that the client names, or the address it comes from. */
  readonly user: string;
  /** For a multi_search: what a scoped key adds to each search. */
  readonly embedded: readonly Readonly<Record<string, unknown>>[];
}

export interface Answer {
  readonly status: number;
  readonly body: string | Iterable<string>;
  /** `stream` is JSON that a real server sends piece by piece, without naming its character set. */
  readonly type?: 'json' | 'text' | 'stream';
  /** The time that a real server would have taken, in milliseconds; only a paced sandbox reads it. */
  readonly cost?: number;
}

/** The connection stays open and silent, as a real server does for a key id that isn't a number. */
export const SILENCE = Symbol('silence');

export type Handler = (call: Call) => Answer | typeof SILENCE;

export const json = (status: number, body: string, cost?: number): Answer =>
  cost === undefined ? { status, body } : { status, body, cost };

export const stream = (status: number, body: string): Answer => ({ status, body, type: 'stream' });

export const success = (status: number): Answer => json(status, '{"success":true}');

export const decodePart = (text: string): string => {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  }
};

/** A repeated filter_by adds to the filter; for everything else the last one counts. */
export const readQuery = (query: string): Map<string, string> => {
  const params = new Map<string, string>();
  for (const part of query.split(/(?<!&)&(?!&)/)) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = equals === -1 ? part : part.slice(0, equals);
    const value = equals === -1 ? '' : decodePart(part.slice(equals + 1));
    const existing = params.get(name);
    params.set(name, name === 'filter_by' && existing !== undefined ? `${existing}&&${value}` : value);
  }
  return params;
};
