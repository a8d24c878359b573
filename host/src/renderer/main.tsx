import '@mantine/core/styles.css';
import './styles/global.css';
import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/queries.ts';
import { App } from './shell/App.tsx';
import { Appearance } from './shell/Appearance.tsx';
import { ErrorBoundary } from './shell/ErrorBoundary.tsx';
import { SignedOutGate } from './shell/SignedOutGate.tsx';
import { cssVariablesResolver, theme } from './theme.ts';
import { WorkspaceProvider } from './workspace/WorkspaceContext.tsx';

// The carrier writes a new nonce into the page with every answer; only style elements that carry it are obeyed.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// The last theme is remembered in the browser too, so that the first frame after a reload already has it.
const colorSchemeManager = localStorageColorSchemeManager({ key: 'tabularium-theme' });

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no root element.');

createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    colorSchemeManager={colorSchemeManager}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <ErrorBoundary>
      <QueryClientProvider client={createQueryClient()}>
        <Appearance />
        <SignedOutGate>
          <WorkspaceProvider>
            <App />
          </WorkspaceProvider>
        </SignedOutGate>
      </QueryClientProvider>
    </ErrorBoundary>
  </MantineProvider>,
);
