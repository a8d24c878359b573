import { useState } from 'react';
import type { ReactNode } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { exampleServices, press, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { useSecondClicks } from './useSecondClicks.ts';

const pressed: string[] = [];
beforeEach(() => void pressed.splice(0));

/** Buttons as the window has them: one that changes its role, two that take turns, and a row of tabs of which each can be closed. */
function Example(): ReactNode {
  useSecondClicks();
  const [isRunning, setRunning] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const [tabs, setTabs] = useState(['one', 'two', 'three']);
  const say = (what: string, then: () => void) => () => {
    pressed.push(what);
    then();
  };
  return (
    <>
      <p>
        <button onClick={isRunning ? say('stop', () => setRunning(false)) : say('test', () => setRunning(true))}>
          {isRunning ? 'Stop' : 'Test'}
        </button>
      </p>
      <p>
        {isSearching ? (
          <button key="cancel" onClick={say('cancel', () => setSearching(false))} aria-label="Cancel">
            ×
          </button>
        ) : (
          <button key="find" onClick={say('find', () => setSearching(true))} aria-label="Find">
            ×
          </button>
        )}
      </p>
      {tabs.map((tab) => (
        <p key={tab}>
          <button aria-label={`Close ${tab}`} onClick={say(tab, () => setTabs((all) => all.filter((one) => one !== tab)))}>
            ×
          </button>
        </p>
      ))}
      <button onClick={say('next', () => undefined)}>Next</button>
    </>
  );
}

const button = (name: string): ReturnType<typeof page.getByRole> => page.getByRole('button', { name, exact: true });

it.each([
  ['Test', 'Stop', ['test'], ['test', 'stop']],
  ['Find', 'Cancel', ['find'], ['find', 'cancel']],
])('a double click on “%s” presses no “%s”, and a click afterwards does', async (name, other, once, twice) => {
  await renderPart(<Example />, exampleServices());
  await userEvent.dblClick(button(name));
  expect(pressed).toEqual(once);
  await userEvent.click(button(other));
  expect(pressed).toEqual(twice);
});

it('leaves keys, and what was pressed before, as they are', async () => {
  await renderPart(<Example />, exampleServices());
  await userEvent.dblClick(button('Next'));
  await userEvent.dblClick(button('Close one'));
  expect(pressed).toEqual(['next', 'next', 'one', 'two']);
  button('Test').element().focus();
  await press('{Enter}{Enter}');
  expect(pressed.slice(4)).toEqual(['test', 'stop']);
});
