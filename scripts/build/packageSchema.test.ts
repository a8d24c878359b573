import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../paths.ts';
import { packageSchema } from './packageSchema.ts';
import { manifestPaths } from '../../sdk/src/manifestPaths.test-helper.ts';

const shape = z.looseObject({
  $schema: z.string(),
  properties: z.looseObject({
    tabularium: z.looseObject({ properties: z.record(z.string(), z.looseObject({ description: z.string() })) }),
  }),
});

describe('the JSON schema of a driver’s package.json', () => {
  it('explains every member of the manifest in the words of its reference', () => {
    const { tabularium } = shape.parse(JSON.parse(packageSchema(root))).properties;
    const outermost = [...manifestPaths().keys()].filter((path) => !path.includes('.'));
    expect(Object.keys(tabularium.properties)).toEqual(outermost);
    expect(tabularium.properties['title']?.description).toContain('The name in the connection chooser');
    expect(tabularium['additionalProperties']).toBe(false);
  });

  it('requires no member of package.json that the SDK would not', () => {
    expect(JSON.parse(packageSchema(root))).toMatchObject({ required: ['name', 'version', 'tabularium'] });
  });
});
