import { describe, expect, it } from 'vitest';
import { SSH_LIMITS } from './sshLimits.ts';
import { SurplusMeter } from './surplusMeter.ts';

const KEY_EXCHANGES = 20;
const PACKET = 32 * 1024;

function metered() {
  let milliseconds = 0;
  const meter = new SurplusMeter(SSH_LIMITS, () => milliseconds);
  return { meter, pass: (time: number) => (milliseconds += time) };
}

describe('the surplus of an SSH server', () => {
  it('is exceeded by a flood, and not by keep-alive messages of a day', () => {
    const { meter, pass } = metered();
    for (let count = 0; count < 86_400; count += 1) {
      pass(1_000);
      meter.received(52);
    }
    expect(meter.isExceeded).toBe(false);
    for (let count = 0; count < 40_000; count += 1) meter.received(52);
    expect(meter.isExceeded).toBe(true);
  });

  it('is not exceeded by data, in large packets or of ten bytes, with a key exchange for each megabyte', () => {
    const { meter } = metered();
    for (let count = 0; count < 10_000; count += 1) {
      meter.received(PACKET + 40);
      meter.carried(PACKET);
      if (count % 32 === 0) meter.keysExchanged();
    }
    for (let count = 0; count < 100_000; count += 1) {
      meter.received(10 + 40);
      meter.carried(10);
    }
    expect(meter.isExceeded).toBe(false);
  });

  it('is exceeded by key exchanges without an end, and not by one in each second', () => {
    const { meter, pass } = metered();
    for (let count = 0; count < 10_000; count += 1) {
      pass(1_000);
      meter.keysExchanged();
    }
    expect(meter.isExceeded).toBe(false);
    for (let count = 0; count < 2 * KEY_EXCHANGES; count += 1) meter.keysExchanged();
    expect(meter.isExceeded).toBe(true);
  });
});
