import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hostPackage } from '../../program/hostPackage.ts';
import { serverIdentity } from './serverIdentity.ts';

it('has the icon of the package, and a website where the package names one', () => {
  const file = readFileSync(join(hostPackage().folder, 'icons/tabularium-48.png'));
  const { icons, websiteUrl } = serverIdentity('1.0.0', undefined);
  expect(icons).toEqual([{ src: `data:image/png;base64,${file.toString('base64')}`, mimeType: 'image/png', sizes: ['48x48'] }]);
  expect(file.readUInt32BE(16)).toBe(48);
  expect(websiteUrl).toBeUndefined();
  expect(serverIdentity('1.0.0', 'https://tabularium.example/').websiteUrl).toBe('https://tabularium.example/');
});
