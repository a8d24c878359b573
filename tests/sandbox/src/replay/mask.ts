import { emptyObject, isObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** Everything the replay does not compare. What it masks is a time, a random value or a figure of the recorded machine. */
const MASKED = '(masked)';

const ALWAYS: readonly string[] = ['created_at', 'search_time_ms'];

/** `stats.json` of a server under load: its metrics, and its lists of the requested paths. */
const STATISTIC = /(?:_latency_ms|_per_second|_ratio|_count|^latency_ms)$/;

/** `metrics.json`: memory, disk and processors. How many processors is a property of the machine as well. */
const METRIC = /^(?:system|typesense)_/;
const PROCESSOR = /^system_cpu\d+_/;

/** Keys whose value the server made up, and the one key that was to expire an hour after the recording. */
const GENERATED_KEYS: readonly string[] = ['gen', 'x'];
const EXPIRING_KEY = 'soon';

const isMasked = (name: string, parent: JsonObject): boolean => {
  if (ALWAYS.includes(name) || STATISTIC.test(name) || METRIC.test(name)) return true;
  const { description } = parent;
  if (typeof description !== 'string') return false;
  if (name === 'value' || name === 'value_prefix') return GENERATED_KEYS.includes(description);
  return name === 'expires_at' && description === EXPIRING_KEY;
};

/** @param also - names that are masked beside those that always are */
export const mask = (value: JsonValue, also: readonly string[] = []): JsonValue => {
  if (Array.isArray(value)) return value.map((item) => mask(item, also));
  if (!isObject(value)) return value;
  const result = emptyObject();
  for (const name of Object.keys(value)) {
    if (PROCESSOR.test(name)) continue;
    result[name] = isMasked(name, value) || also.includes(name) ? MASKED : mask(value[name] ?? null, also);
  }
  return result;
};

/** For recordings that were cut off: the same, on text without spaces between the tokens. */
export const maskText = (text: string): string =>
  text
    .replace(/"(?:system_cpu\d+_[a-z_]+)":"[^"]*",?/g, '')
    .replace(/"((?:system|typesense)_[a-z_]+)":"[^"]*"/g, `"$1":"${MASKED}"`)
    .replace(/"(created_at|search_time_ms)":\d+/g, `"$1":"${MASKED}"`)
    .replace(/"([a-z_0-9]*(?:_latency_ms|_per_second|_ratio|_count))":[0-9.]+/gi, `"$1":"${MASKED}"`)
    .replace(/"latency_ms":\{.*$/s, '"latency_ms":')
    .replace(/("description":"soon","expires_at":)\d+/g, `$1"${MASKED}"`);
