import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { OwnEdit } from '../../../evidence/provenance/repository/noteCommits.ts';
import type { AuditEntry, RecordPlace } from '../../../send/audit.ts';
import { PendingEdits } from '../../../store/provenance/pendingEdits.ts';
import type { Logger } from '../../../util/logger.ts';
import type { AcceptedCode } from '../../edits/vscode/acceptedCode.ts';
import { AcceptedEdits } from './acceptedEdits.ts';
import { ownEdits } from './ownEdits.ts';
import { ProvenanceKey } from './provenanceKey.ts';

interface ProvenanceParts {
  readonly storage: vscode.Uri;
  readonly secrets: vscode.SecretStorage;
  /** Records an action that has already happened. Does not throw: returns null if it could not be written. */
  readonly note: (entry: AuditEntry) => Promise<RecordPlace | null>;
  readonly logger: Logger;
}

/** The data on this machine about code that the user has accepted. */
export class Provenance {
  readonly #key: ProvenanceKey;
  readonly #pending: PendingEdits;
  readonly #accepted: AcceptedEdits;

  constructor({ storage, secrets, note, logger }: ProvenanceParts) {
    const folder = join(storage.fsPath, 'provenance');
    this.#key = new ProvenanceKey(secrets, folder);
    this.#pending = new PendingEdits(folder);
    this.#accepted = new AcceptedEdits({ key: this.#key, pending: this.#pending, note, logger });
  }

  /** Resolves when the code is recorded, and never rejects. */
  accepted(code: AcceptedCode): Promise<void> {
    return this.#accepted.accepted(code);
  }

  /** Returns the stored edits, the newest first. */
  async ownEdits(): Promise<readonly OwnEdit[]> {
    // The record of the last accept may still be in progress.
    await this.flush();
    return ownEdits({ key: this.#key, pending: this.#pending });
  }

  forget(edits: readonly string[]): Promise<void> {
    return this.#pending.remove(edits);
  }

  /** Removes all stored edits, and the key. */
  async purge(): Promise<void> {
    await this.flush();
    await this.#pending.clear();
    await this.#key.forget();
  }

  /** Resolves when everything is recorded. */
  flush(): Promise<void> {
    return this.#accepted.flush();
  }
}
