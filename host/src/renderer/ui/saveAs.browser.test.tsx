import { afterEach, expect, it, vi } from 'vitest';
import { saveAs } from './saveAs.ts';

afterEach(() => vi.restoreAllMocks());

it('saves a file once for a double click, and another file, another content or a later click for itself', () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
  saveAs('a.json', 'application/json', ['1']);
  clock.mockReturnValue(1_000_200);
  saveAs('a.json', 'application/json', ['1']);
  expect(saved).toEqual(['a.json']);
  saveAs('b.json', 'application/json', ['1']);
  saveAs('b.json', 'application/json', ['12']);
  expect(saved).toEqual(['a.json', 'b.json', 'b.json']);
  clock.mockReturnValue(1_002_000);
  saveAs('b.json', 'application/json', ['12']);
  expect(saved).toHaveLength(4);
});
