import type { WriteOutcome, RowOutcome } from '../facets/import.ts';

/** The outcome of each row, of outcomes as `ImportFacet.write` gives them: those of written rows may come together. */
export async function rowOutcomes(outcomes: AsyncIterable<WriteOutcome>): Promise<RowOutcome[]> {
  const found: RowOutcome[] = [];
  for await (const outcome of outcomes) {
    if (outcome.outcome === 'written' && 'rows' in outcome)
      for (let row = 0; row < outcome.rows; row += 1) found.push({ outcome: 'written' });
    else found.push(outcome);
  }
  return found;
}
