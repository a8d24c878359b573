import { firstWindowBytes } from '../support/firstWindowBytes.ts';
import type { Budget } from './budget.ts';
import { atMost } from './budget.ts';

export async function bundleBudget(): Promise<readonly Budget[]> {
  return [atMost('renderer bundle, gzip, first window', (await firstWindowBytes()) / 1000, 400, 'kilobytes')];
}
