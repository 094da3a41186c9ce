import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'app/dist/',
      'diagrams/dist/',
      'app/src/api/schema.d.ts',
      'node_modules/',
      'data/',
      'coverage/',
      'examples/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/require-await': 'off',
      'no-restricted-properties': [
        'error',
        {
          object: 'URL',
          property: 'canParse',
          message: 'Node 20 refuses letters such as ü with it: isWebAddress of kernel/common/web-address.ts does not.',
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'hast-util-to-html',
              message: 'HTML is written by htmlOf of kernel/common/html.ts, which lets no unsafe address out.',
            },
          ],
        },
      ],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-depth': ['error', 4],
      'no-restricted-syntax': [
        'error',
        {
          selector: "MethodDefinition[kind='constructor'][value.params.length>9]",
          message: 'A class that needs more than nine others has more than one task: divide it.',
        },
      ],
    },
  },
  // The router takes redirects as thrown values.
  { files: ['app/src/**/*.{ts,tsx}'], rules: { '@typescript-eslint/only-throw-error': 'off' } },
  // Vite reads the default export.
  { files: ['app/vite.config.ts'], rules: { 'no-restricted-exports': 'off' } },
  { files: ['src/kernel/common/html.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['**/*.js', '**/*.cjs', '**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
      },
    },
  },
  {
    files: ['assets/*.js', 'diagrams/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'AbortController',
          'Blob',
          'BroadcastChannel',
          'DOMParser',
          'FormData',
          'Headers',
          'Option',
          'TextEncoder',
          'URL',
          'URLSearchParams',
          'XMLSerializer',
          'addEventListener',
          'btoa',
          'clearTimeout',
          'console',
          'crypto',
          'document',
          'fetch',
          'getComputedStyle',
          'history',
          'innerHeight',
          'localStorage',
          'location',
          'matchMedia',
          'navigator',
          'parent',
          'performance',
          'removeEventListener',
          'requestAnimationFrame',
          'scrollY',
          'sessionStorage',
          'setTimeout',
          'window',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
);
