import { createHash } from 'node:crypto';
import aws4 from 'aws4';
import { DriverError } from '@tabularium/sdk';
import { destinationUrl } from '../../../../common/destinationOf.ts';
import { RepeatedSecret } from '../repeatedSecret.ts';
import type { OutgoingRequest, RequestCredential } from './requestCredential.ts';

/** The parts of a signature that are the same in each request. */
export interface SigV4Options {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken: string;
  readonly region: string;
  readonly service: string;
}

/** The one service that takes a body which isn't signed. */
const TAKES_UNSIGNED = 's3';
const UNSIGNED = 'UNSIGNED-PAYLOAD';

/** Signature Version 4: each request is signed with its path, query, headers and body. */
export function sigV4Credential(options: SigV4Options, now: () => Date = () => new Date()): RequestCredential {
  const { accessKey, secretKey, sessionToken, region, service } = options;
  const sought = [secretKey, sessionToken].filter((value) => value !== '').map((value) => new RepeatedSecret(value));
  return {
    apply(request) {
      const { method, path, body } = request;
      if (body === 'stream' && service !== TAKES_UNSIGNED) {
        throw new DriverError(
          'UNSUPPORTED',
          'A request with a body of unknown length, or of more than 1 MB, cannot be signed for this service. Nothing was sent.',
        );
      }
      const moment = now()
        .toISOString()
        .replaceAll(/[-:]|\.\d{3}/g, '');
      const headers: Record<string, string> = {
        ...Object.fromEntries(request.headers),
        host: new URL(destinationUrl({ ...request.origin, pathPrefix: '' })).host,
        'x-amz-date': moment,
        ...(sessionToken === '' ? {} : { 'x-amz-security-token': sessionToken }),
        ...(service === TAKES_UNSIGNED ? { 'x-amz-content-sha256': hashOf(body) } : {}),
      };
      const signer = new aws4.RequestSigner(
        {
          method,
          path,
          headers,
          region,
          service,
          // Otherwise it adds a content type that the driver didn't ask for.
          doNotModifyHeaders: true,
          ...(body instanceof Uint8Array ? { body: Buffer.from(body) } : {}),
        },
        { accessKeyId: accessKey, secretAccessKey: secretKey },
      );
      signer.datetime = moment;
      const signed = signer.sign();
      if (typeof signed.path === 'string') request.path = signed.path;
      for (const [name, value] of Object.entries(signed.headers ?? {})) {
        const lower = name.toLowerCase();
        // The host is said by what sends the request, and is as it was signed.
        if (lower !== 'host' && value !== undefined) request.headers.set(lower, String(value));
      }
    },
    isIn: (text, as) => sought.some((secret) => secret.isIn(text, as)),
  };
}

function hashOf(body: OutgoingRequest['body']): string {
  if (body === 'stream') return UNSIGNED;
  return createHash('sha256')
    .update(body === 'none' ? '' : body)
    .digest('hex');
}
