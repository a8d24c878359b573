import type { DriverErrorDetails } from '@tabularium/sdk';
import type { ErrorQuestions } from './errorQuestions.ts';
import type { HostSentence, TextOrigin } from './hostSentences.ts';
import { englishOf } from './hostSentences.ts';
import { inputAdvice } from './inputAdvice.ts';

/** The table's entry for one error code of the host. */
export interface HostErrorKind {
  readonly sentence: string;
  readonly advice: string;
}

/** Every error of the host itself. What a driver answers keeps its own code (see the sdk's table). */
export const HOST_ERRORS = {
  INVALID_REQUEST: { sentence: "The request isn't valid.", advice: 'Fix the value named in the message.' },
  NOT_SIGNED_IN: {
    sentence: 'The session of this window has expired.',
    advice: 'Open the address that Tabularium printed when it started.',
  },
  CONNECTION_UNKNOWN: { sentence: "The connection doesn't exist.", advice: 'Refresh the list of connections.' },
  CONNECTION_NAME_TAKEN: { sentence: 'A connection with this name already exists.', advice: 'Choose another name.' },
  SECRET_MISSING: {
    sentence: 'The connection has no stored credential.',
    advice: 'Edit the connection and enter the credential again.',
  },
  SECRET_NOT_CONFIRMED: {
    sentence: "The destination of this connection isn't the one that was entered or confirmed.",
    advice: 'Confirm the new destination in the window or with "tabularium connections confirm NAME".',
  },
  SSH_KEY_UNKNOWN: {
    sentence: "The host key of the SSH server isn't known yet, so nothing was sent.",
    advice:
      'Open the connection in the window, or run "tabularium connections test NAME", and compare the fingerprint with that of the server\'s operator.',
  },
  SSH_KEY_CHANGED: {
    sentence: 'The SSH server presented another host key than before, so nothing was sent.',
    advice:
      'Somebody may be between you and the server. Ask its operator whether the key was replaced. Only then remove the old one: from known_hosts with "ssh-keygen -R", from Tabularium with "tabularium connections forget-host-key NAME".',
  },
  SECURE_STORE_UNAVAILABLE: {
    sentence: "The operating system's secure store isn't available.",
    advice: 'Keep the credential for this session only, or name an environment variable that holds it.',
  },
  DRIVER_UNKNOWN: {
    sentence: 'No registry has a driver for this database type.',
    advice: 'Check the registries in the settings, or refresh the catalogue.',
  },
  DRIVER_NOT_INSTALLED: {
    sentence: "The driver for this database type isn't installed.",
    advice: 'Install the driver in the settings under Drivers.',
  },
  DRIVER_NOT_COMPATIBLE: {
    sentence: 'No version of this driver supports this version of Tabularium.',
    advice: 'Update Tabularium.',
  },
  DRIVER_NOT_FOR_PLATFORM: {
    sentence: 'The driver has no files for this kind of computer.',
    advice: "Ask the driver's author for a version that runs on it.",
  },
  PLATFORM_FILES_MISSING: {
    sentence: "The driver's files for this computer are missing.",
    advice:
      'Report this to the author of the driver. For a file, put the archive for this computer beside it, or use a file that "tabularium drivers bundle ID" wrote on such a computer.',
  },
  PLATFORM_FILES_ALONE: {
    sentence: 'The file has only the native files of a driver for one platform.',
    advice: "Install the driver's own file. The host takes the native files from the file beside it.",
  },
  REGISTRY_UNREACHABLE: {
    sentence: "The driver registry didn't respond.",
    advice: 'Check the network and the address of the registry, then try again.',
  },
  CATALOGUE_EXPIRED: {
    sentence: 'The signed catalogue of the driver registry has expired.',
    advice: "Check this computer's clock, then ask the operator of the registry for a new catalogue.",
  },
  CATALOGUE_INVALID: {
    sentence: "The signature of the driver registry's catalogue is invalid.",
    advice: 'Ask the operator of the registry before you install anything from it.',
  },
  DRIVER_REVOKED: {
    sentence: 'The registry has revoked this version of the driver.',
    advice: 'Install another version of the driver.',
  },
  ADDRESS_NOT_ALLOWED: {
    sentence: "The registry's archives are at an address that isn't allowed.",
    advice: 'Ask the operator of the registry, then allow the origin in the settings under Drivers.',
  },
  PACKAGE_NOT_FOUND: {
    sentence: "The package or version wasn't found in the registry.",
    advice: 'Choose another version, or refresh the catalogue.',
  },
  PACKAGE_TRUNCATED: {
    sentence: 'The package ends early, so nothing was installed.',
    advice: 'Download it again, or copy the file again.',
  },
  PACKAGE_TAMPERED: {
    sentence: "The package doesn't match the registry's checksum, so it wasn't installed.",
    advice: 'Ask the operator of the registry before you use it again.',
  },
  PACKAGE_UNSIGNED: {
    sentence: "The package isn't signed, so it wasn't installed.",
    advice: 'Install a version that its publisher has signed.',
  },
  PACKAGE_SIGNATURE_INVALID: {
    sentence: "A file of the package doesn't match its signature, so the package wasn't installed.",
    advice: 'Report this to the publisher of the driver.',
  },
  PACKAGE_KEY_UNKNOWN: {
    sentence: "The package is signed by a publisher that you haven't trusted yet.",
    advice: "Compare the fingerprint with the publisher's, then trust the publisher and install again.",
  },
  PACKAGE_KEY_REVOKED: {
    sentence: 'The key that signed this driver has been revoked.',
    advice: 'Install a version that was signed with another key.',
  },
  PACKAGE_INVALID: {
    sentence: "The package isn't a driver package.",
    advice: 'Get the file again. If that changes nothing, report this to the author of the driver.',
  },
  PACKAGE_FAILED_TRIAL: {
    sentence: 'The driver failed to start in its trial run.',
    advice: 'Keep the previous version and report this to the author of the driver.',
  },
  GRANT_NEEDED: {
    sentence: "The driver needs a permission that you haven't granted.",
    advice: 'Open the connection in the window and grant it, or use "tabularium drivers allow ID GRANT".',
  },
  DRIVER_DOWNGRADE: {
    sentence: 'An older version would replace the installed driver.',
    advice: 'Confirm the downgrade in the window, or repeat the command with --allow-downgrade.',
  },
  DRIVER_DISABLED: {
    sentence: 'This driver is disabled.',
    advice: 'Enable it in the settings under Drivers, or with "tabularium drivers enable ID".',
  },
  DRIVER_ROLLED_BACK: {
    sentence: 'The new version of the driver crashed on first use and was rolled back.',
    advice: 'Try again with the previous version, and report the crash to the author of the driver.',
  },
  OFFLINE: {
    sentence: "Offline mode is on, so registries aren't available.",
    advice: 'Turn off offline mode in the settings under Drivers, or install the driver from a file.',
  },
  POLICY_FORBIDS: {
    sentence: 'The administrator of this computer has disabled this.',
    advice: 'Ask your administrator.',
  },
  HOME_IN_USE: {
    sentence: 'Another Tabularium is using this data directory.',
    advice: 'Use its window, or quit it and try again.',
  },
  HOME_UNUSABLE: {
    sentence: "The data directory can't be used.",
    advice: 'Check its owner and permissions, or set TABULARIUM_HOME to another folder.',
  },
  HOME_READ_ONLY: {
    sentence: 'The data directory is read-only.',
    advice: 'Make it writable, or set TABULARIUM_HOME to another folder.',
  },
  DISK_FULL: {
    sentence: 'The disk is full.',
    advice: 'Free some space and try again.',
  },
  TOO_MANY_FILES: {
    sentence: 'Too many files are open.',
    advice: 'Close other programs, or raise the limit (on Linux and macOS: "ulimit -n 1024"), then try again.',
  },
  INSTALLATION_DAMAGED: {
    sentence: "A part of Tabularium can't be loaded.",
    advice: 'Reinstall Tabularium.',
  },
  DATABASE_DAMAGED: {
    sentence: 'The database in the data directory is damaged.',
    advice: 'Restore a backup with "tabularium restore FILE".',
  },
  DATABASE_FOREIGN: {
    sentence: "The database in the data directory wasn't written by Tabularium.",
    advice: 'Move the file elsewhere, or set TABULARIUM_HOME to another folder.',
  },
  DATABASE_NEWER: {
    sentence: 'The database was written by a newer version of Tabularium.',
    advice: 'Update Tabularium, or set TABULARIUM_HOME to another folder.',
  },
  DATABASE_LOCKED: {
    sentence: 'Another program has locked the database.',
    advice: 'Close the program that has the file open, then try again.',
  },
  BACKUP_UNUSABLE: {
    sentence: "This file can't be restored.",
    advice: 'Choose another backup from the folder "backups" of the data directory.',
  },
  TOKEN_UNKNOWN: { sentence: "The token doesn't exist.", advice: 'Run "tabularium tokens list" to see all tokens.' },
  ACCESS_FORBIDDEN: {
    sentence: "This client isn't allowed to use this connection.",
    advice: "Change External Clients or the AI policy in the connection's Advanced pane.",
  },
  READ_ONLY: {
    sentence: 'External clients can only read this connection.',
    advice: 'Change the level in the Advanced pane of the connection, or run the statement in the window.',
  },
  APPROVAL_REQUIRED: {
    sentence: 'A person must approve this.',
    advice: "Approve it, or set the connection's AI policy to Always allow.",
  },
  CONNECTION_READ_ONLY: {
    sentence: 'This connection is in read-only mode.',
    advice: "Turn off read-only mode in the connection's Advanced pane.",
  },
  SESSION_LIMIT: {
    sentence: 'The connection has as many console sessions open as it can have.',
    advice: 'Close a tab of the console, or end its session.',
  },
  NOT_EDITABLE: {
    sentence: "These rows can't be edited.",
    advice: 'Change them in the console, if the driver has one.',
  },
  SAVE_RUNNING: {
    sentence: 'Changes to this table are being saved.',
    advice: 'Wait until saving has finished, or cancel it.',
  },
  FILE_EXISTS: {
    sentence: 'A file with this name already exists.',
    advice: 'Choose another name, or confirm that the file may be replaced.',
  },
  FILE_UNWRITABLE: {
    sentence: "The file can't be written.",
    advice: 'Check that the folder exists, that you have permission to write to it, and that the disk has space.',
  },
  CANCELLED: { sentence: 'Cancelled.', advice: "You don't need to do anything." },
  INTERNAL: {
    sentence: 'Tabularium had an internal error.',
    advice: 'Try again, and look in the log in the data directory for details.',
  },
} as const satisfies Record<string, HostErrorKind>;

/** A code of {@link HOST_ERRORS}. */
export type HostErrorCode = keyof typeof HOST_ERRORS;

/** An error of the host. Its message is for a person and holds no secret. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: HostErrorCode;
  readonly details: DriverErrorDetails;
  /** The message as a window of another language finds it; absent where the message is text. */
  readonly sentence?: HostSentence;

  constructor(
    code: HostErrorCode,
    message?: string | HostSentence,
    options: { readonly details?: DriverErrorDetails; readonly cause?: unknown } = {},
  ) {
    const text = typeof message === 'object' ? englishOf(message) : (message ?? HOST_ERRORS[code].sentence);
    super(text, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (typeof message === 'object') this.sentence = message;
    this.details = options.details ?? {};
  }

  /** Advice for a person. */
  get advice(): string {
    const usual = HOST_ERRORS[this.code].advice;
    // The sentence of the table itself names nothing, and is followed by its own advice.
    if (this.code !== 'INVALID_REQUEST' || this.message === HOST_ERRORS.INVALID_REQUEST.sentence)
      return this.details.advice ?? usual;
    return inputAdvice(this.message, this.details, usual);
  }

  /** The questions to answer before this can be done. */
  get questions(): ErrorQuestions {
    return {};
  }
}

/** The origin of an error's message. */
export function originOf({ code, sentence }: HostError): TextOrigin {
  return sentence === undefined ? { code } : { code, sentence };
}
