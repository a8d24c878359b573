import { Button } from '@mantine/core';
import { Component } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../strings/index.ts';
import styles from './shell.module.css';

interface State {
  readonly failed: boolean;
}

/** What is left when the window itself fails: a sentence and a way back. React has no function for this yet. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className={styles.fullPage} role="alert">
        <div>
          <h1>{strings.application.brokenTitle}</h1>
          <p>{strings.application.brokenText}</p>
          <Button onClick={() => window.location.reload()}>{strings.application.reloadWindow}</Button>
        </div>
      </div>
    );
  }
}
