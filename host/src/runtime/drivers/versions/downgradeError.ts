import type { Manifest } from '@tabularium/sdk/manifest';
import type { DowngradeQuestion } from '../../../common/drivers.ts';
import type { ErrorQuestions } from '../../../common/errorQuestions.ts';
import { HostError } from '../../../common/errors.ts';

/** An older version would take the place of the one in use. Carries what a person is asked. */
export class DowngradeError extends HostError {
  readonly question: DowngradeQuestion;

  constructor(
    driver: { readonly id: string; readonly packageName: string; readonly manifest: Manifest },
    from: string,
    to: string,
  ) {
    const { id, packageName, manifest } = driver;
    super(
      'DRIVER_DOWNGRADE',
      `Version ${to} of the driver "${id}" is older than version ${from}, which is in use. It may lack fixes that the newer one has.`,
      {
        details: {
          advice: `Confirm the older version in the window, or repeat the command with --allow-downgrade.`,
        },
      },
    );
    this.question = { driver: { id, title: manifest.title, packageName }, from, to };
  }

  override get questions(): ErrorQuestions {
    return { downgradeQuestion: this.question };
  }
}
