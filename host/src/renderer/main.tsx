import '@mantine/core/styles.css';
import './styles/global.css';
import './styles/first-frame.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { followOtherWindows } from './api/otherWindows.ts';
import { enrol } from './api/hostLink/returnToHost.ts';
import { createQueryClient, prefetchFirstScreen } from './api/queries.ts';
import { App } from './app/App.tsx';
import { Appearance } from './app/Appearance.tsx';
import { pageColorScheme } from './app/pageColorScheme.ts';
import { ErrorBoundary } from './app/ErrorBoundary.tsx';
import { ReturningPage } from './app/ReturningPage.tsx';
import { SignedOutGate } from './app/SignedOutGate.tsx';
import { loadWords } from './i18n/index.ts';
import { cssVariablesResolver, theme } from './ui/theme.ts';
import { startWindow } from './state/windowState.ts';
import { WorkspaceProvider } from './state/WorkspaceContext.tsx';
import { loadScope } from './state/workspaceStore.ts';

// The transport writes a new nonce into the page with every answer; only style elements that carry it are obeyed.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// Everything that the first screen needs is asked for at once, before anything is drawn.
const isReturning = document.documentElement.hasAttribute('data-returning');
const queryClient = createQueryClient();

function begin(): ReactNode {
  const start = Promise.all([startWindow(), loadScope('home')]).then(([begun]) => begun);
  prefetchFirstScreen(queryClient);
  followOtherWindows(queryClient);
  // Without a key the window ends with its host.
  void start.then(enrol).catch(() => undefined);
  return (
    <SignedOutGate>
      <WorkspaceProvider start={start}>
        <App />
      </WorkspaceProvider>
    </SignedOutGate>
  );
}
const content = isReturning ? <ReturningPage /> : begin();

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no root element.');

// English is there already, so this waits for nothing but another language.
void loadWords().then(() =>
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={pageColorScheme}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          {isReturning ? null : <Appearance />}
          {content}
        </QueryClientProvider>
      </ErrorBoundary>
    </MantineProvider>,
  ),
);
