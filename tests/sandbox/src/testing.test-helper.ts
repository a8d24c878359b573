import { request } from 'node:http';
import type { JsonValue } from './json/value.ts';
import { parse } from './json/parse.ts';

/** A time-out for calls that are expected to be answered. */
const ANSWER_MS = 5_000;

export interface Asked {
  readonly status: number;
  readonly body: string;
  readonly json: JsonValue;
}

export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonText;
}

type JsonText = string | object;

export const TEST_KEY = 'test-key';

/** A string value, or nothing much. */
export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** Sends a path unchanged: nothing resolves its dots or re-encodes it. */
export const ask = (url: string, path: string, question: Question = {}): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const { body, headers = { 'x-typesense-api-key': TEST_KEY }, method = body === undefined ? 'GET' : 'POST' } = question;
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = response.headers['content-type']?.startsWith('application/json') === true && text !== '';
        resolve({ status: response.statusCode ?? 0, body: text, json: isJson ? parse(text) : null });
      });
    });
    sent.setTimeout(ANSWER_MS, () => sent.destroy(new Error(`${path} was not answered`)));
    sent.on('error', reject);
    sent.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
