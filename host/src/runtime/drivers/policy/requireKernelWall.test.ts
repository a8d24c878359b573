import { describe, expect, it } from 'vitest';
import { englishOf, hostSentence } from '../../../common/hostSentences.ts';
import { DriverPolicy, policySchema } from './driverPolicy.ts';

describe('an administrator who requires the kernel sandbox', () => {
  it('keeps drivers from running without it, and says so', async () => {
    const policy = new DriverPolicy(async () => policySchema.parse({ formatVersion: 1, requireKernelWall: true }));
    await expect(policy.assertKernelWall(hostSentence('kernelNoLandlock'))).rejects.toMatchObject({
      code: 'POLICY_FORBIDS',
      message: expect.stringMatching(
        /only inside the kernel sandbox.*This kernel has no Landlock, or it is switched off\.$/,
      ) as unknown,
    });
    expect((await policy.sentences()).map(englishOf)).toEqual(['Drivers run only inside the kernel sandbox.']);
  });

  it('is asked for nothing where the policy does not mention it', async () => {
    await expect(new DriverPolicy().assertKernelWall(hostSentence('kernelNoLandlock'))).resolves.toBeUndefined();
    expect(policySchema.safeParse({ formatVersion: 1, requireKernelWall: 'yes' }).success).toBe(false);
  });
});
