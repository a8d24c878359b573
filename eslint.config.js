import { join } from 'node:path';
import process from 'node:process';
import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { driverIds, hostNamesNoDatabase } from './scripts/eslint/hostNamesNoDatabase.ts';
import { importsGoDown } from './scripts/eslint/importsGoDown.ts';
import { noImportCycles } from './scripts/eslint/noImportCycles.ts';
import { outsideTextHasOneWay } from './scripts/eslint/outsideTextHasOneWay.ts';
import { plainWords } from './scripts/eslint/plainWords.ts';
import { roomsHaveOrder } from './scripts/eslint/roomsHaveOrder.ts';
import { rulesVersion } from './scripts/eslint/rulesVersion.ts';
import { typedParser } from './scripts/eslint/typedParser.ts';

const typescript = ['**/*.ts', '**/*.tsx'];
const tests = ['**/*.test.{ts,tsx}', '**/*.test-helper.{ts,tsx}', 'tests/**/*.ts'];

/** Where nothing is cached, as in continuous integration, a run is over everything. */
const run = !/[\\/]eslint(\.js)?$/.test(process.argv[1] ?? '') ? 'editor' : process.env['CI'] ? 'all' : 'some';

/** A test that is skipped, or that keeps the others from running, proves nothing. */
const skippedTest = ['object', 'object.object', 'object.callee.object']
  .map((path) => `MemberExpression[property.name=/^(skip|only|todo|skipIf|runIf)$/][${path}.name=/^(it|test|describe|suite)$/]`)
  .map((selector) => ({ selector, message: 'No skipped and no focused tests. Fix it, or delete it and say why.' }));

/** A busy machine takes several times as long; a test that is given less than all others fails there first. Its other waits end it. */
const hastyTest = [
  'CallExpression[callee.name=/^(it|test|describe|beforeAll|beforeEach|afterAll|afterEach)$/] > Literal.arguments:last-child[value<=240000]',
  ...['callee.name', 'callee.object.name', 'callee.callee.object.name'].map(
    (path) =>
      `CallExpression[${path}=/^(it|test|describe)$/] > ObjectExpression > Property[key.name="timeout"] > Literal[value<=240000]`,
  ),
  'CallExpression[callee.property.name="poll"] > ObjectExpression > Property[key.name="timeout"] > Literal[value<=120000]',
  'CallExpression[callee.object.name="vi"][callee.property.name=/^wait/] > ObjectExpression > Property[key.name="timeout"] > Literal[value<120000]',
].map((selector) => ({ selector, message: 'No less time than vitest.config.ts gives every test: leave it out.' }));

/** Test files of one process share their modules: a time that runs from the loading of one is over before the last file has begun. */
const sharedTime = {
  selector:
    ':matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator > CallExpression[callee.object.name="AbortSignal"][callee.property.name="timeout"]',
  message: 'The time runs from the loading of the module: make the signal where it is used, or `new AbortController().signal`.',
};

/** The window keeps a stream of events open, so its network is never idle: the wait takes its whole time on every machine. */
const idleNetwork = {
  selector: 'CallExpression[callee.property.name=/^(waitForLoadState|goto|reload|setContent)$/] Literal[value="networkidle"]',
  message: 'The network of the window is never idle: wait for what the screen shows.',
};

/**
 * A pattern made at run time escapes the check for linear patterns, and a pattern from outside can take any time. A template may only join
 * constants of its own file.
 */
const dynamicPattern = [
  ':matches(NewExpression, CallExpression)[callee.name="RegExp"] > :not(TemplateLiteral, Literal, Identifier[name="RegExp"])',
  ':matches(NewExpression, CallExpression)[callee.name="RegExp"] > TemplateLiteral > :not(TemplateElement, Identifier[name=/^[A-Z_]+$/])',
].map((selector) => ({ selector, message: 'No pattern from run-time text: use indexOf, split or replaceAll with a string.' }));

/** The signal of a request loses its source when the request is garbage collected, and an abort with it. */
const forgetfulRequest = [
  'NewExpression[callee.name="Request"] > ObjectExpression > :matches(Property[key.name="signal"], SpreadElement)',
  'NewExpression[callee.name="Request"] > TSAsExpression',
].map((selector) => ({ selector, message: 'Use abortableRequest: the signal of a plain Request stops following its source.' }));

/** Columns are called what their owners please, also `constructor` and `__proto__`: a plain object has such members before anything is put into it. */
const memberByName = [
  'MemberExpression[computed=true][property.type="Identifier"][property.name=/^(?:name|columnName)$/]',
  'MemberExpression[computed=true] > MemberExpression.property[property.name="name"]',
  'MemberExpression[computed=true] > ChainExpression.property > MemberExpression[property.name="name"]',
].map((selector) => ({
  selector,
  message: 'Use a Map, or ownValue: a name from outside may be that of a member of every object.',
}));

/** A browser doesn't report a file that was chosen before: one that failed, and was corrected, could not be chosen again. */
const forgetfulFileButton = [
  {
    selector: 'JSXOpeningElement[name.name="FileButton"]:not(:has(JSXAttribute[name.name="resetRef"]))',
    message: 'Give it a resetRef, and call that when a file was chosen: else the same file cannot be chosen again.',
  },
];

/** Files whose sentences are plain. Migrations are as they were released. */
const plainSentences = [
  'host/src/**/*.{ts,tsx}',
  'drivers/*/src/**/*.ts',
  'create-driver/src/**/*.ts',
  'docs/examples/*/src/**/*.ts',
  'registry/src/**/*.ts',
  'sdk/src/**/*.ts',
];

/** Folders whose comments are plain. A folder is added when all of its comments are. */
const plainComments = [
  'create-driver/**/*.ts',
  'docs/examples/**/*.ts',
  'drivers/**/*.ts',
  'host/bin/*.mjs',
  'host/src/**/*.{ts,tsx}',
  'registry/**/*.ts',
  'scripts/**/*.ts',
  'sdk/src/**/*.ts',
  'tests/**/*.{ts,tsx,mjs}',
];

export default defineConfig(
  globalIgnores([
    '**/dist/',
    '**/.tsbuild/',
    '**/.local/',
    '**/node_modules/',
    'tests/fixtures/broken/',
    'create-driver/template/',
  ]),
  // Review misses a rule that a comment switches off. An exception is listed here, with its reason.
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: typescript,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parser: typedParser(run), parserOptions: { tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-ignore': true, 'ts-nocheck': true, 'ts-expect-error': 'allow-with-description' },
      ],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // An interface of promises is also implemented by what answers at once.
      '@typescript-eslint/require-await': 'off',
      'no-undef': 'off',
    },
  },
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // Control characters are data here: names, keys and answers are checked for them.
      'no-control-regex': 'off',
      'max-lines': ['error', { max: 600 }],
      'no-restricted-exports': [
        'error',
        { restrictDefaultExports: { direct: true, named: true, defaultFrom: true, namedFrom: true } },
      ],
      'no-restricted-syntax': ['error', ...skippedTest, ...hastyTest, idleNetwork, sharedTime],
    },
  },
  {
    files: [
      'host/**/*.{ts,tsx,mjs}',
      'sdk/**/*.ts',
      'drivers/**/*.ts',
      'create-driver/**/*.ts',
      'registry/**/*.{ts,mjs}',
      'docs/examples/**/*.ts',
    ],
    ignores: tests,
    plugins: { regexp },
    rules: {
      // Text from outside meets these patterns: none may take more than linear time, at any start.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      'no-restricted-syntax': ['error', ...skippedTest, ...dynamicPattern, ...forgetfulRequest, ...forgetfulFileButton],
    },
  },
  {
    // A longer list of services goes into a list of its room.
    files: ['host/src/runtime/composition.ts'],
    rules: { 'max-lines': ['error', { max: 150 }] },
  },
  {
    files: ['host/src/renderer/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          name: 'react',
          importNames: ['lazy', 'Suspense'],
          message:
            'React shows what waited in a Suspense 300 ms after its fallback at the earliest. Use ui/onDemand.tsx or state/useSettled.ts.',
        },
      ],
    },
  },
  {
    // Where columns are met.
    files: ['host/src/renderer/{editing,grid,inspector,transfer}/**/*.{ts,tsx}', 'host/src/runtime/{editing,transfer}/**/*.ts'],
    ignores: tests,
    rules: {
      'no-restricted-syntax': [
        'error',
        ...skippedTest,
        ...dynamicPattern,
        ...forgetfulRequest,
        ...forgetfulFileButton,
        ...memberByName,
      ],
    },
  },
  {
    plugins: {
      house: {
        // Part of the key of the lint cache: a changed rule checks every file again.
        meta: { name: 'house', version: rulesVersion(join(import.meta.dirname, 'scripts/eslint')) },
        rules: {
          'imports-go-down': importsGoDown,
          'no-import-cycles': noImportCycles,
          'plain-comments': plainWords,
          'plain-words': plainWords,
          'rooms-have-order': roomsHaveOrder,
          'host-names-no-database': hostNamesNoDatabase,
          'outside-text-has-one-way': outsideTextHasOneWay,
        },
      },
    },
  },
  {
    files: typescript,
    rules: { 'house/imports-go-down': 'error', 'house/no-import-cycles': 'error', 'house/rooms-have-order': 'error' },
  },
  {
    files: ['host/src/**/*.{ts,tsx}', 'host/bin/*.mjs'],
    ignores: tests,
    rules: { 'house/host-names-no-database': ['error', driverIds(import.meta.dirname)] },
  },
  // Texts that a person reads are plain English. A kind of text is added when all of it is.
  { files: ['host/src/renderer/i18n/en/**/*.ts'], rules: { 'house/plain-words': ['error', 'labels'] } },
  {
    files: plainSentences,
    ignores: [...tests, 'host/src/renderer/i18n/**', 'host/src/runtime/storage/migrations/**'],
    rules: { 'house/plain-words': ['error', 'sentences'] },
  },
  {
    files: ['**/*.test.{ts,tsx}', '**/*.test-helper.{ts,tsx}'],
    rules: { 'house/plain-words': ['error', 'testNames'] },
  },
  {
    files: plainComments,
    // This driver stays as it was packed with SDK 1.0.0.
    ignores: ['tests/fixtures/sdk-1.0.0/src/**'],
    rules: { 'house/plain-comments': ['error', 'comments'] },
  },
  {
    files: ['host/src/{cli,runtime,web,electron}/**/*.ts'],
    // The one module that writes to the terminal.
    ignores: [...tests, 'host/src/cli/terminal.ts'],
    rules: { 'house/outside-text-has-one-way': ['error', 'terminal'] },
  },
  {
    files: ['host/src/renderer/**/*.{ts,tsx}'],
    // The replacement of React's own JSX runtime.
    ignores: [...tests, 'host/src/renderer/text/**'],
    rules: { 'house/outside-text-has-one-way': ['error', 'page'] },
  },
  {
    files: ['host/src/renderer/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    // The recommended set also speaks for the React Compiler, which is not used here.
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: tests,
    rules: {
      // `expect(service.method)` hands a method on without calling it.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  // Programs for Node that tests start as they are.
  { files: ['tests/**/*.mjs'], rules: { 'no-undef': 'off' } },
  // Programs read the default export of these.
  { files: ['*.config.{js,ts}', 'scripts/testing/*{Reporter,Runner}.ts'], rules: { 'no-restricted-exports': 'off' } },
  {
    // Node 20 parses these before it hands over to the pinned Node.
    files: ['host/bin/*.mjs'],
    languageOptions: { ecmaVersion: 2023, globals: { process: 'readonly' } },
  },
);
