import { expect, it } from 'vitest';
import { scramVerifier } from './scramVerifier.ts';

it('computes what RFC 7677 and the server compute', async () => {
  // Salt and password of the example in RFC 7677; keys by `openssl kdf` and `openssl mac`.
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
  expect(await scramVerifier('pencil', 4_096, salt)).toBe(
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  );
});
