import { describe, expect, it } from 'vitest';
import { DriverPolicy, policySchema } from './driverPolicy.ts';

describe('an administrator who requires the kernel sandbox', () => {
  it('keeps drivers from running without it, and says so', async () => {
    const policy = new DriverPolicy(async () => policySchema.parse({ formatVersion: 1, requireKernelWall: true }));
    await expect(policy.assertKernelWall('This kernel has no Landlock.')).rejects.toMatchObject({
      code: 'POLICY_FORBIDS',
      message: expect.stringMatching(/only inside the kernel sandbox.*This kernel has no Landlock\.$/) as unknown,
    });
    expect(await policy.sentences()).toEqual(['Drivers run only inside the kernel sandbox.']);
  });

  it('is asked for nothing where the policy does not mention it', async () => {
    await expect(new DriverPolicy().assertKernelWall('No Landlock.')).resolves.toBeUndefined();
    expect(policySchema.safeParse({ formatVersion: 1, requireKernelWall: 'yes' }).success).toBe(false);
  });
});
