import { describe, expect, it } from 'vitest';
import { placeOf, statedPlace } from './addressPlace.ts';
import type { AddressPlace } from './addressPlace.ts';

const PLACES: Readonly<Record<AddressPlace, readonly string[]>> = {
  thisComputer: [
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0.1.2.3',
    '::1',
    '[::1]',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:7f00:0001',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2606:4700::5efe:127.0.0.1',
    '2606:4700::200:5efe:7f00:1',
  ],
  linkLocal: ['169.254.169.254', '::ffff:169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1', '64:ff9b::a9fe:a9fe'],
  private: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    'fd00:ec2::254',
    'fc00::1',
    '::ffff:10.0.0.1',
  ],
  unusable: [
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
    'ff02::1',
    '2001:0:1234::1',
    '2001:20::1',
    // A translator of a private network decides what these lead to, and not always by the last four bytes.
    '64:ff9b:1::127.0.0.1',
    '64:ff9b:1:a9fe:a9:fe00:808:808',
    '::ffff:0:127.0.0.1',
    '100:0:0:1::1',
    '4000::1',
    'fe00::1',
    '',
    'localhost',
    '1.2.3',
    '127.1',
  ],
  public: ['8.8.8.8', '172.32.0.1', '172.15.255.255', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '2002:808:808::'],
};

describe('the place of an address', () => {
  for (const [place, addresses] of Object.entries(PLACES)) {
    it.each(addresses)(`is ${place} for "%s"`, (address) => expect(placeOf(address)).toBe(place));
  }

  it.each([
    ['http://127.1/', 'thisComputer'],
    ['http://2130706433/', 'thisComputer'],
    ['http://0x7f.0.0.1/', 'thisComputer'],
    ['http://0177.0.0.1/', 'thisComputer'],
    ['http://[::ffff:127.0.0.1]/', 'thisComputer'],
    ['http://LOCALHOST./', 'thisComputer'],
    ['http://a.localhost/', 'thisComputer'],
    ['http://１２７.0.0.1/', 'thisComputer'],
    ['http://0/', 'thisComputer'],
    ['http://localhost.example/', undefined],
  ])('is read from the URL %s', (url, place) => expect(statedPlace(new URL(url).hostname)).toBe(place));
});
