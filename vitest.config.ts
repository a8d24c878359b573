import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['tabularium:source', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['tabularium:source', 'node', 'import', 'default'] } },
  test: {
    include: ['{sdk,host,drivers,registry,scripts,tests}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.tsbuild/**'],
    passWithNoTests: false,
  },
});
