import { describe, expect, it } from 'vitest';
import { withinPolygon, withinRadius } from './places.ts';

describe('points within a distance', () => {
  it.each([
    '',
    '48.85',
    '48.85, 2.35, 1',
    'Paris',
    '91, 0',
    '0, 181',
    '-91, 0',
    '1e1, 2',
    '48,85, 2,35',
    '48.85, 2.35) || id:!=x',
  ])('refuses the point %j', (point) => {
    expect(() => withinRadius('at', point, '5 km')).toThrow(/is not a point/);
  });

  it.each(['', '5', '0 km', '-5 km', '5 ly', 'km', '1e3 km', '5 km) || id:!=x'])('refuses the distance %j', (distance) => {
    expect(() => withinRadius('at', '48.85, 2.35', distance)).toThrow(/is not a distance/);
  });

  it('refuses a distance around the earth, and takes half of it', () => {
    expect(() => withinRadius('at', '0, 0', '50000 km')).toThrow(/half around the earth/);
    expect(withinRadius('at', '-90, 180', '20000 km')).toBe('at:(-90, 180, 20000 km)');
    expect(withinRadius('at', '0, 0', '12000 mi')).toBe('at:(0, 0, 12000 mi)');
  });
});

describe('points within an area', () => {
  it.each(['', '48, 2', '48, 2; 49, 2', '48, 2; 49, 2; north'])('refuses the corners %j', (corners) => {
    expect(() => withinPolygon('at', corners)).toThrow(/corners|is not a point/);
  });

  it('takes corners as the server gives them', () => {
    expect(withinPolygon('at', '[48,2];[49,2];[49,3]')).toBe('at:(48, 2, 49, 2, 49, 3)');
  });
});
