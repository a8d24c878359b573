import type { DriverErrorCode, DriverErrorDetails } from '@tabularium/sdk';
import type { DowngradeQuestion, GrantQuestion, TrustQuestion } from './drivers.ts';
import type { SecretQuestion } from './secretQuestion.ts';

/** What the table says of one error code of the host. */
export interface HostErrorKind {
  readonly sentence: string;
  readonly advice: string;
}

/** Every error of the host itself. What a driver answers keeps its own code (see the sdk's table). */
export const HOST_ERRORS = {
  INVALID_REQUEST: { sentence: 'The request is not valid.', advice: 'Correct the value that the message names.' },
  NOT_SIGNED_IN: {
    sentence: 'This window has no right to this host.',
    advice: 'Open the address that the host printed when it started.',
  },
  CONNECTION_UNKNOWN: { sentence: 'There is no such connection.', advice: 'Refresh the list of connections.' },
  CONNECTION_NAME_TAKEN: { sentence: 'Another connection has this name.', advice: 'Choose another name.' },
  SECRET_MISSING: { sentence: 'A credential of this connection is missing.', advice: 'Edit the connection and enter it again.' },
  SECRET_NOT_CONFIRMED: {
    sentence: 'A credential of this connection would be used for another destination than it was entered for.',
    advice: 'Compare old and new in the window, or with "tabularium connections confirm".',
  },
  SECURE_STORE_UNAVAILABLE: {
    sentence: "The operating system's secure store is not available.",
    advice:
      'Keep the credential for this session only, or name an environment variable that holds it. It is never stored in clear.',
  },
  DRIVER_UNKNOWN: {
    sentence: 'No registry knows this database type.',
    advice: 'Check the registry in the settings, or refresh the catalogue.',
  },
  DRIVER_NOT_INSTALLED: {
    sentence: 'The driver for this database type is not installed.',
    advice: 'Install it; choosing the type in a new connection does so.',
  },
  DRIVER_NOT_COMPATIBLE: {
    sentence: 'No version of this driver runs with this version of Tabularium.',
    advice: 'Update Tabularium.',
  },
  REGISTRY_UNREACHABLE: {
    sentence: 'The driver registry did not answer.',
    advice: 'Check the network and the registry address, then try again.',
  },
  CATALOGUE_EXPIRED: {
    sentence: 'The signed catalogue of the driver registry is out of date.',
    advice:
      'Check the clock of this computer. If it is right, the registry no longer signs, or someone holds back newer catalogues. Installed drivers keep working.',
  },
  CATALOGUE_INVALID: {
    sentence: 'The signed catalogue of the driver registry cannot be trusted.',
    advice: 'Install nothing from this registry until its operator has explained it. Installed drivers keep working.',
  },
  DRIVER_REVOKED: {
    sentence: 'The registry has revoked this version of the driver.',
    advice: 'Install another version of the driver.',
  },
  ADDRESS_NOT_ALLOWED: {
    sentence: 'The driver registry leads to an address that it may not use.',
    advice: 'Add the origin to the registry in the settings under Drivers, if its operator says that archives come from there.',
  },
  PACKAGE_NOT_FOUND: {
    sentence: 'The registry has no such package or version.',
    advice: 'Choose another version, or refresh the catalogue.',
  },
  PACKAGE_TRUNCATED: { sentence: 'The download ended early.', advice: 'Try again; nothing was installed.' },
  PACKAGE_TAMPERED: {
    sentence: 'The package is not the one that the registry announced.',
    advice: 'Do not use this registry until its operator has explained it. Nothing was installed.',
  },
  PACKAGE_UNSIGNED: {
    sentence: 'The package is not signed.',
    advice: 'Install only drivers that their publisher has signed. Nothing was installed.',
  },
  PACKAGE_SIGNATURE_INVALID: {
    sentence: 'A file of the package is not what its publisher signed.',
    advice: 'Do not use this package. Nothing was installed.',
  },
  PACKAGE_KEY_UNKNOWN: {
    sentence: 'The package is signed by a publisher that you have not trusted.',
    advice: 'Trust the publisher first, if you know the fingerprint. Nothing was installed.',
  },
  PACKAGE_KEY_REVOKED: {
    sentence: 'The key that signed this driver has been revoked.',
    advice: 'Install a version that is signed with a valid key.',
  },
  PACKAGE_INVALID: {
    sentence: 'The package is no driver package.',
    advice: "Report this to the driver's author. Nothing was installed.",
  },
  PACKAGE_FAILED_TRIAL: {
    sentence: 'The driver did not start when it was tried out.',
    advice: 'The version before stays in use. Report this to the author of the driver.',
  },
  GRANT_NEEDED: {
    sentence: 'The driver asks to leave the sandbox, and nobody has allowed that.',
    advice: 'Open the connection in the window and answer the question, or use "tabularium drivers allow".',
  },
  DRIVER_DOWNGRADE: {
    sentence: 'This would replace the driver by an older version.',
    advice: 'Confirm it in the window, or repeat the command with --allow-downgrade. Nothing was changed.',
  },
  DRIVER_DISABLED: {
    sentence: 'This driver is disabled.',
    advice: 'Enable it in the settings under Drivers, or with "tabularium drivers enable".',
  },
  DRIVER_ROLLED_BACK: {
    sentence: 'The new version of the driver crashed when it was first used, so the version before is in use again.',
    advice: 'Try again; the version before is used. Report the crash to the author of the driver.',
  },
  OFFLINE: {
    sentence: 'Offline mode is on: no registry is asked.',
    advice: 'Switch offline mode off in the settings under Drivers, or install the driver from a file.',
  },
  POLICY_FORBIDS: {
    sentence: 'The administrator of this computer does not allow this.',
    advice: 'Ask your administrator.',
  },
  HOME_IN_USE: {
    sentence: 'Another host owns this home folder.',
    advice: 'Stop it first, or use its window; commands talk to it by themselves.',
  },
  HOME_UNUSABLE: {
    sentence: 'The home folder cannot be used.',
    advice: 'Check that it is yours and can be written to, or set TABULARIUM_HOME.',
  },
  HOME_READ_ONLY: {
    sentence: 'The data directory is read-only.',
    advice: 'Make it writable, or set TABULARIUM_HOME to another folder.',
  },
  DISK_FULL: {
    sentence: 'The disk is full.',
    advice: 'Free some space and try again. Everything that was saved before is unchanged.',
  },
  TOO_MANY_FILES: {
    sentence: 'The limit for open files is reached.',
    advice: 'Close other programs, or raise the limit (on Linux and macOS: "ulimit -n 1024"), and try again.',
  },
  INSTALLATION_DAMAGED: {
    sentence: 'A part of Tabularium cannot be loaded.',
    advice: 'Install Tabularium again.',
  },
  DATABASE_DAMAGED: {
    sentence: 'The database of the data directory is damaged.',
    advice: 'Restore a backup with "tabularium restore FILE". Nothing was changed or deleted.',
  },
  DATABASE_FOREIGN: {
    sentence: 'The database of the data directory was not written by Tabularium.',
    advice: 'Move the file elsewhere, or set TABULARIUM_HOME to another folder. Nothing was changed or deleted.',
  },
  DATABASE_NEWER: {
    sentence: 'A newer version of Tabularium wrote the database.',
    advice: 'Update Tabularium, or set TABULARIUM_HOME to another folder.',
  },
  DATABASE_LOCKED: {
    sentence: 'Another program has locked the database.',
    advice: 'Close the program that has the file open, and try again.',
  },
  BACKUP_UNUSABLE: {
    sentence: 'This file cannot be restored.',
    advice: 'Choose another backup; they are in the folder "backups" of the data directory. Nothing was changed.',
  },
  TOKEN_UNKNOWN: { sentence: 'There is no such token.', advice: 'List the tokens to see which there are.' },
  ACCESS_FORBIDDEN: {
    sentence: 'This connection is not open to this client.',
    advice: "Change External Clients or the AI policy in the connection's Advanced pane.",
  },
  READ_ONLY: {
    sentence: 'This connection is read only for external clients.',
    advice: 'Change the level in the Advanced pane of the connection, or run the statement in the window.',
  },
  APPROVAL_REQUIRED: {
    sentence: 'A person has to approve this.',
    advice: "Approve it, or set the connection's AI policy to Always allow.",
  },
  NOT_EDITABLE: {
    sentence: 'These rows cannot be edited.',
    advice: 'The message says why; the console may offer another way.',
  },
  SAVE_RUNNING: {
    sentence: 'Changes of this table are being saved.',
    advice: 'Wait until that has ended, or cancel it.',
  },
  FILE_EXISTS: {
    sentence: 'A file with this name exists.',
    advice: 'Choose another name, or say that the file is to be replaced.',
  },
  FILE_UNWRITABLE: {
    sentence: 'The file cannot be written.',
    advice: 'Check that the folder exists, that you may write there, and that the disk has room.',
  },
  CANCELLED: { sentence: 'Cancelled.', advice: 'Nothing needs to be done.' },
  INTERNAL: {
    sentence: 'Something went wrong inside Tabularium.',
    advice: 'Try again. The log in the home folder has the details.',
  },
} as const satisfies Record<string, HostErrorKind>;

/** A code of {@link HOST_ERRORS}. */
export type HostErrorCode = keyof typeof HOST_ERRORS;

/** Questions that a person can answer so that a rejected request succeeds. */
export interface ErrorQuestions {
  /** What a person has to answer before this can be done; with `PACKAGE_KEY_UNKNOWN`. */
  readonly question?: TrustQuestion;
  /** What a person has to allow first; with `GRANT_NEEDED`. */
  readonly grantQuestion?: GrantQuestion;
  /** What a person has to confirm first; with `DRIVER_DOWNGRADE`. */
  readonly downgradeQuestion?: DowngradeQuestion;
  /** What a person has to confirm first; with `SECRET_NOT_CONFIRMED`. */
  readonly secretQuestion?: SecretQuestion;
}

/** An error of the host. Its message is for a person and holds no secret. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: HostErrorCode;
  readonly details: DriverErrorDetails;

  constructor(
    code: HostErrorCode,
    message?: string,
    options: { readonly details?: DriverErrorDetails; readonly cause?: unknown } = {},
  ) {
    super(message ?? HOST_ERRORS[code].sentence, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }

  /** What a person can do about it. */
  get advice(): string {
    return this.details.advice ?? HOST_ERRORS[this.code].advice;
  }

  /** What a person has to answer before this can be done. */
  get questions(): ErrorQuestions {
    return {};
  }
}

/** A code of either table. */
export type ReportCode = HostErrorCode | DriverErrorCode;

/** An error as the window, the command line and clients get it. */
export interface ErrorReport extends ErrorQuestions {
  readonly code: ReportCode;
  readonly message: string;
  readonly advice: string;
  readonly retryable: boolean;
  readonly details: DriverErrorDetails;
}
