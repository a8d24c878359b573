import { describe, expect, it } from 'vitest';
import { contractRefusal, readReady } from './negotiation.ts';

const read = (head: unknown): ReturnType<typeof readReady> => readReady(new TextEncoder().encode(JSON.stringify(head)));

describe('the first frame', () => {
  it('names a driver that can be talked to', () => {
    expect(read({ wire: 1, contract: '1.4.0', driver: 'x' })).toEqual({ ok: true, driver: 'x', contract: '1.4.0' });
  });

  it('says what to update when the versions do not fit', () => {
    expect(read({ wire: 2, whatever: [] })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/Update Tabularium\.$/) as string,
    });
    expect(read({ wire: 0 })).toMatchObject({ ok: false, problem: expect.stringMatching(/Install Tabularium again/) as string });
    expect(read({ wire: 1, contract: '2.0.0', driver: 'x' })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/Update Tabularium\.$/) as string,
    });
    expect(contractRefusal('0.3.0')).toMatch(/Update the driver\.$/);
    expect(contractRefusal('new')).toMatch(/isn't a version/);
  });

  it('passes on why a driver could not be loaded', () => {
    expect(read({ wire: 1, contract: '1.0.0', problem: 'It is broken.' })).toEqual({ ok: false, problem: 'It is broken.' });
  });

  it('is refused when it says nothing', () => {
    expect(() => read({})).toThrow(/the first frame is not valid/);
    expect(() => read({ wire: '1' })).toThrow(/the first frame is not valid/);
    expect(() => read({ wire: 1 })).toThrow(/names no driver/);
    expect(() => read([])).toThrow(/the first frame is not valid/);
  });
});
