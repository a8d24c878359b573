import { expect, it } from 'vitest';
import { exceeds } from './exceeds.ts';
import type { PermittedStatement } from './statement.ts';

const EFFECTS = ['read', 'write', 'destructive'] as const;
const ALL: readonly PermittedStatement[] = EFFECTS.flatMap((effect) => [{ effect }, { effect, unknown: true }]);

it('says that a statement does more where its effect is worse, or where it alone is not understood', () => {
  for (const [place, effect] of EFFECTS.entries())
    for (const [most, other] of EFFECTS.entries()) expect(exceeds({ effect }, { effect: other })).toBe(place > most);
  for (const effect of EFFECTS) {
    expect(exceeds({ effect, unknown: true }, { effect: 'destructive' })).toBe(true);
    expect(exceeds({ effect: 'read' }, { effect, unknown: true })).toBe(false);
  }
});

it('lets every statement do what it does', () => {
  for (const statement of ALL) expect(exceeds(statement, statement)).toBe(false);
});
