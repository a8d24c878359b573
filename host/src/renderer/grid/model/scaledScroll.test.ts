import { describe, expect, it } from 'vitest';
import { clampOffset, isScaled, maxOffset, offsetAt, scrollScale, scrollTopFor } from './scaledScroll.ts';

const ROW = 28;

describe('scrollScale', () => {
  it('leaves content alone that the browser can hold', () => {
    const scale = scrollScale(200_000 * ROW, 600, 1);
    expect(isScaled(scale)).toBe(false);
    expect(offsetAt(scale, 12_345)).toBe(12_345);
    expect(scrollTopFor(scale, 12_345)).toBe(12_345);
  });

  it.each([2_000_000, 9_000_000, 900_000_000])('reaches the last of %i rows, and the first', (rows) => {
    const scale = scrollScale(rows * ROW, 600, 1);
    expect(isScaled(scale)).toBe(true);
    expect(scale.scrollPixels).toBeLessThan(33_554_432);
    expect(offsetAt(scale, 0)).toBe(0);
    expect(offsetAt(scale, scale.scrollPixels - 600)).toBe(rows * ROW - 600);
    expect(scrollTopFor(scale, maxOffset(scale))).toBeCloseTo(scale.scrollPixels - 600, 3);
  });

  it('reaches the end even where the browser rounds the position of the bar down', () => {
    const scale = scrollScale(9_000_000 * ROW, 613.5, 1.25);
    expect(offsetAt(scale, scale.scrollPixels - 613.5 - 0.4)).toBe(maxOffset(scale));
  });

  it('keeps below the clamp on screens with several device pixels per pixel', () => {
    expect(scrollScale(2_000_000 * ROW, 600, 2).scrollPixels).toBe(15_000_000);
    expect(scrollScale(2_000_000 * ROW, 600, 0.5).scrollPixels).toBe(30_000_000);
  });

  it('goes there and back within a pixel, and never backwards', () => {
    const scale = scrollScale(5_000_000 * ROW, 700, 1);
    let before = -1;
    for (let step = 0; step <= 1_000; step += 1) {
      const offset = (maxOffset(scale) * step) / 1_000;
      const there = offsetAt(scale, scrollTopFor(scale, offset));
      expect(Math.abs(there - offset)).toBeLessThan(1 + maxOffset(scale) / scale.scrollPixels);
      expect(there).toBeGreaterThanOrEqual(before);
      before = there;
    }
  });

  it('holds still when everything fits', () => {
    const scale = scrollScale(5 * ROW, 600, 1);
    expect(maxOffset(scale)).toBe(0);
    expect(offsetAt(scale, 10)).toBe(0);
    expect(scrollTopFor(scale, 10)).toBe(0);
    expect(clampOffset(scale, -5)).toBe(0);
  });
});
