import { DriverError } from '@tabularium/sdk';
import { isObject, textOfField } from './guards.ts';
import { faultTexts } from './faultTexts.ts';

interface OtherServer {
  readonly is: string;
  readonly kind: 'unknown' | 'product' | 'signIn' | 'web';
  readonly advice: string;
}

const ADVICE_IDS = {
  unknown: 'fault.wrongProduct',
  product: 'fault.wrongProduct',
  signIn: 'fault.signInPage',
  web: 'fault.webServer',
} as const;

const WRONG_PRODUCT = 'This driver speaks to Typesense-compatible servers alone. Check the host and port.';
/** The port on which nodes of a cluster speak to each other answers so: it is one digit away, and no API. */
const PEERING = 'Fail to find method on ';
const LONGEST_LOOKED_AT = 65_536;

/**
 * The error for an answer that a search server of this kind never gives, which says what answered instead; undefined where that can't be
 * seen. Nothing of a page is repeated: it may hold what the person sees nowhere else.
 *
 * @param body - of an answer of any status, as it came
 */
export function otherServerError(status: number, body: string, request: string): DriverError | undefined {
  const text = body.slice(0, LONGEST_LOOKED_AT).trim();
  // A search server says in every such answer what is missing, except to HEAD; Meilisearch says nothing.
  const isSilent = text === '' && (status === 404 || status === 405) && !request.startsWith('HEAD ');
  const found: OtherServer | undefined =
    isSilent || text.includes(PEERING)
      ? { is: 'Another kind of server', kind: 'unknown', advice: WRONG_PRODUCT }
      : otherServer(text);
  // A proxy answers so for a search server that is down.
  if (found === undefined || status >= 500) return undefined;
  return new DriverError('BAD_ANSWER', `${found.is} answered ${request} with ${status}, not a search server.`, {
    details: {
      request,
      status: String(status),
      advice: found.advice,
      texts: faultTexts('fault.otherServer', { kind: found.kind, is: found.is, request, status }, ADVICE_IDS[found.kind]),
    },
  });
}

function otherServer(body: string): OtherServer | undefined {
  if (body.startsWith('<')) return webPage(body.toLowerCase());
  if (!body.startsWith('{')) return undefined;
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isObject(answer)) return undefined;
  const link = textOfField(answer, 'link') ?? '';
  if (link.startsWith('https://docs.meilisearch.com')) return { is: 'Meilisearch', kind: 'product', advice: WRONG_PRODUCT };
  const error = answer['error'];
  const isElastic =
    (isObject(error) && Array.isArray(error['root_cause'])) ||
    (textOfField(answer, 'cluster_name') !== undefined && isObject(answer['version'])) ||
    (typeof error === 'string' &&
      typeof answer['status'] === 'number' &&
      /no handler found|Incorrect HTTP method for uri/.test(error));
  return isElastic ? { is: 'Elasticsearch or OpenSearch', kind: 'product', advice: WRONG_PRODUCT } : undefined;
}

function webPage(page: string): OtherServer {
  if (page.includes('type="password"') || page.includes("type='password'") || /\b(?:sign|log)[ -]?in\b/.test(page)) {
    return {
      is: 'A sign-in page',
      kind: 'signIn',
      advice:
        'A proxy asks for a sign-in first. Let it pass requests with the API key, or use the address of the server behind it.',
    };
  }
  return {
    is: 'A web server',
    kind: 'web',
    advice: 'Check the host and port, the SSL mode, and the path prefix if a proxy serves the search server below a path.',
  };
}
