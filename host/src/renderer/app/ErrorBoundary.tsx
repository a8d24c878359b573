import { Button } from '@mantine/core';
import { Component } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './fullPage.module.css';

interface Props {
  readonly children: ReactNode;
  /** One part of the window, which can be drawn again alone; else the whole window. */
  readonly part?: boolean;
}

interface State {
  readonly failed: boolean;
}

/** Shown when the window, or a part of it, fails: a sentence and a way back. React has no function for this yet. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    const words = strings.application;
    const isPart = this.props.part === true;
    return (
      <div className={isPart ? styles.centered : styles.fullPage} role="alert">
        <div>
          {isPart ? <h2>{words.partBrokenTitle}</h2> : <h1>{words.brokenTitle}</h1>}
          <p>{isPart ? words.partBrokenText : words.brokenText}</p>
          {isPart ? (
            <Button onClick={() => this.setState({ failed: false })}>{strings.common.retry}</Button>
          ) : (
            <Button onClick={() => window.location.reload()}>{words.reloadWindow}</Button>
          )}
        </div>
      </div>
    );
  }
}
