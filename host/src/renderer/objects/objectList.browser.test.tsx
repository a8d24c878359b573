import type { ObjectKind } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { exampleServices, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { ObjectList } from './ObjectList.tsx';

const kind: ObjectKind = {
  id: 'function',
  term: { one: 'Function', other: 'Functions' },
  help: '',
  scope: 'server',
  columns: [{ id: 'kind', label: 'Kind' }],
  form: [],
  save: { allowed: false, reason: 'By SQL.' },
  remove: { allowed: true },
};

/** The middle of the letters of an element, which its box may not show. */
function middle(element: Element): number {
  const range = document.createRange();
  range.selectNodeContents(element);
  const { top, bottom } = range.getBoundingClientRect();
  return (top + bottom) / 2;
}

it('a name in the list of objects is as high as what is said of it', async () => {
  const objects = ['add_up', 'a_name_that_is_so_long_that_it_has_several_lines_in_its_column_of_the_list_'].map((name) => ({
    name: name.repeat(2),
    facts: { kind: 'function' },
  }));
  await renderPart(
    <ObjectList
      kind={kind}
      objects={objects}
      inner={[{ ...kind, id: 'part' }]}
      onEdit={() => undefined}
      onRemove={() => undefined}
      onInner={() => undefined}
    />,
    exampleServices(),
  );
  await expect.element(page.getByRole('rowheader').first()).toBeVisible();
  for (const row of document.querySelectorAll('tbody tr')) {
    const [name, fact, inner] = [
      row.querySelector('th button span span'),
      row.querySelector('td'),
      row.querySelector('td button span span'),
    ];
    if (name === null || fact === null || inner === null) throw new Error('The list has other parts.');
    expect(Math.abs(middle(name) - middle(fact))).toBeLessThanOrEqual(1.5);
    expect(Math.abs(middle(inner) - middle(fact))).toBeLessThanOrEqual(1.5);
  }
});
