import { plainManifest } from '../../common/plainManifest.test-helper.ts';

/** A database type that has a bit of everything the window draws from a manifest. */
export const exampleManifest = plainManifest({
  id: 'example',
  title: 'Example Database',
  tagline: 'Keeps the goods of a shop.',
  connection: {
    fields: [
      { id: 'host', label: 'Host', type: 'text', required: true, placeholder: 'localhost' },
      { id: 'port', label: 'Port', type: 'number', default: 4321, min: 1, max: 65_535 },
      { id: 'plain', label: 'Without encryption', type: 'toggle', pane: 'options', default: true },
      { id: 'password', label: 'Password', type: 'secret', required: true },
    ],
  },
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 4321 },
        scheme: { field: 'plain', plainValues: ['true'] },
      },
    },
  },
  reading: { pageSizes: [100, 500], defaultPageSize: 100, maxSorts: 2, sortRule: 'Notes cannot be sorted by.' },
  filtering: {
    classes: {
      text: {
        operators: [
          'equals',
          'contains',
          { operator: 'matchesRegex', refused: 'This database has no patterns.' },
          'in',
          'isNull',
        ],
      },
      number: { operators: ['equals', 'greaterThan', 'lessThan', 'between'], value: 'number' },
    },
    caseControl: { available: true },
    raw: { label: 'Raw filter', placeholder: 'price > 10' },
  },
  console: { title: 'Console', language: 'text', placeholder: 'read products' },
});
