import { Component } from 'react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { exampleServices, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { onDemand } from './onDemand.tsx';

const Greeting = ({ name }: { readonly name: string }): ReactNode => <p>Hello {name}</p>;

/** Says what was thrown below it, and draws it again on request. */
class Boundary extends Component<{ readonly children: ReactNode }, { readonly message?: string }> {
  override state: { readonly message?: string } = {};
  static getDerivedStateFromError = (error: Error): { message: string } => ({ message: error.message });
  override render(): ReactNode {
    const { message } = this.state;
    if (message === undefined) return this.props.children;
    return <button onClick={() => this.setState({ message: undefined })}>{message}</button>;
  }
}

describe('a component that is loaded on demand', () => {
  it('shows what waits until it is there, and is loaded once', async () => {
    const gate = Promise.withResolvers<typeof Greeting>();
    let loads = 0;
    const Loaded = onDemand(
      async () => {
        loads += 1;
        return gate.promise;
      },
      <p>Waiting</p>,
    );
    await renderPart(<Loaded name="Ada" />, exampleServices());
    await expect.element(page.getByText('Waiting')).toBeVisible();
    gate.resolve(Greeting);
    await expect.element(page.getByText('Hello Ada')).toBeVisible();
    await renderPart(<Loaded name="Grace" />, exampleServices());
    await expect.element(page.getByText('Hello Grace')).toBeVisible();
    expect(loads).toBe(1);
  });

  it('is not shown by halves: once loaded, nothing waits any more', async () => {
    const Loaded = onDemand(async () => Greeting, <p>Waiting</p>);
    Loaded.preload();
    await renderPart(<Loaded name="Ada" />, exampleServices());
    const seen: string[] = [];
    new MutationObserver(() => seen.push(document.body.textContent)).observe(document.body, { childList: true, subtree: true });
    await renderPart(<Loaded name="Grace" />, exampleServices());
    await expect.element(page.getByText('Hello Grace')).toBeVisible();
    expect(seen.filter((text) => text.includes('Waiting'))).toEqual([]);
  });

  it('throws what kept its module away, and asks for it again when it is drawn again', async () => {
    let loads = 0;
    const Loaded = onDemand(async () => {
      loads += 1;
      if (loads === 1) throw new Error('The host is away.');
      return Greeting;
    });
    await renderPart(
      <Boundary>
        <Loaded name="Ada" />
      </Boundary>,
      exampleServices(),
    );
    await page.getByRole('button', { name: 'The host is away.' }).click();
    await expect.element(page.getByText('Hello Ada')).toBeVisible();
    expect(loads).toBe(2);
  });
});
