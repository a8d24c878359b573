import { describe, expect, it } from 'vitest';
import type { SettingsValues } from '../../common/connection.ts';
import type { SecretReach } from '../../common/secretQuestion.ts';
import { furtherOrigin, manifestWith } from '../drivers/broker/credentials/credentials.test-helper.ts';
import type { Credentials } from '../drivers/broker/credentials/credentials.test-helper.ts';
import { testSender } from '../drivers/broker/sealed.test-helper.ts';
import { secretReach } from '../drivers/broker/serverDestination.ts';
import { reachText } from './secretReach.ts';

const bearer: Credentials = [{ scheme: 'bearer', field: 'key' }];
const header: Credentials = [{ headers: ['x-api-key'], field: 'key' }];
const cloud = furtherOrigin('cloud', [], { origin: 'https://api.example.com' });
const settings: SettingsValues = { host: 'db.example', port: 9_200, mode: 'tls', host2: 'boards.example', port2: 5_601 };

function reach(
  ofFirst: Credentials,
  further: Parameters<typeof manifestWith>[1],
  field = 'key',
  values: SettingsValues = settings,
): SecretReach {
  const found = secretReach(testSender(manifestWith(ofFirst, further)), values, field);
  if (found === undefined) throw new Error('no reach');
  return found;
}

describe('the reach of a secret', () => {
  it('is the same with further origins that do not get it, fixed ones among them', () => {
    const without = reachText(reach(bearer, []));
    expect(reachText(reach(bearer, [furtherOrigin('more')]))).toBe(without);
    expect(reachText(reach(bearer, [furtherOrigin('more', [{ scheme: 'bearer', field: 'key2' }])]))).toBe(without);
    expect(reachText(reach(bearer, [cloud]))).toBe(without);
    expect(JSON.parse(without)).toHaveLength(8);
  });

  it('gains exactly the further origins that it is sent to, each with its protection', () => {
    const fixed = { ...cloud, credentials: bearer } as typeof cloud;
    expect(reach(bearer, [furtherOrigin('more', header), furtherOrigin('none'), fixed])).toMatchObject({
      origins: ['https://db.example:9200', 'https://boards.example:5601', 'https://api.example.com:443'],
      sentAs: ['authorization: Bearer ', 'x-api-key: '],
      verification: 'identity',
      further: [
        { origin: 'https://boards.example:5601', verification: 'identity', authorityFile: '', sentAs: ['x-api-key: '] },
        {
          origin: 'https://api.example.com:443',
          verification: 'identity',
          authorityFile: '',
          sentAs: ['authorization: Bearer '],
        },
      ],
    });
  });

  it('does not have the first origin where further ones alone use the secret', () => {
    const { origins, sentAs } = reach([{ scheme: 'bearer', field: 'key2' }], [furtherOrigin('more', header)]);
    expect([origins, sentAs]).toEqual([['https://boards.example:5601'], ['x-api-key: ']]);
  });

  it('is nowhere while the form leaves the only origin of the secret empty', () => {
    const { origins, further } = reach([], [furtherOrigin('more', header)], 'key', { ...settings, host2: '' });
    expect([origins, further]).toEqual([[], undefined]);
  });

  it('has the token server of a further origin', () => {
    const oauth: Credentials = [
      {
        scheme: 'oauth2',
        grant: 'clientCredentials',
        tokenUrl: { value: 'https://login.example/token' },
        clientId: 'user',
        field: 'key',
      },
    ];
    expect(reach([], [furtherOrigin('more', oauth)]).origins).toEqual([
      'https://boards.example:5601',
      'https://login.example/token',
    ]);
  });

  it('has every further origin where the driver itself gets the secret', () => {
    const manifest = manifestWith([], [furtherOrigin('more'), cloud]);
    const given = {
      ...manifest,
      permissions: { ...manifest.permissions, secrets: { fields: ['token'], reason: 'It signs in.' } },
    };
    expect(secretReach(testSender(given), settings, 'token')).toMatchObject({
      origins: ['https://db.example:9200', 'https://boards.example:5601', 'https://api.example.com:443'],
      further: [{ sentAs: ['(driver)'] }, { sentAs: ['(driver)'] }],
    });
  });

  const tls = { mode: { field: 'way', encryptOnly: ['none'], verifyChain: ['token'] } };
  const more = furtherOrigin('more', header, { tls });
  const before = reachText(reach(bearer, [more]));
  it.each<[string, SecretReach]>([
    ['its host changes', reach(bearer, [more], 'key', { ...settings, host2: 'other.example' })],
    ['its port changes', reach(bearer, [more], 'key', { ...settings, port2: 5_602 })],
    ['it is no longer encrypted', reach(bearer, [more], 'key', { ...settings, mode: 'plain' })],
    ['its certificate is checked less', reach(bearer, [more], 'key', { ...settings, way: 'token' })],
    ['its certificate is not checked', reach(bearer, [more], 'key', { ...settings, way: 'none' })],
    ['the secret is sent there otherwise', reach(bearer, [furtherOrigin('more', bearer, { tls })])],
    ['the secret is sent there no more', reach(bearer, [furtherOrigin('more', [], { tls })])],
    ['another origin gets it, too', reach(bearer, [more, { ...cloud, credentials: header }])],
  ])('is another one when %s', (_name, now) => {
    expect(reachText(now)).not.toBe(before);
  });

  it('is another one when two origins change the schemes between them', () => {
    expect(reachText(reach(bearer, [furtherOrigin('more', header)]))).not.toBe(
      reachText(reach(header, [furtherOrigin('more', bearer)])),
    );
  });
});
