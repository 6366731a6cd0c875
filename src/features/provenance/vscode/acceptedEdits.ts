import { randomUUID } from 'node:crypto';
import { addedLines, linesIn } from '../../../evidence/provenance/addedLines.ts';
import { editKeyOf, sealLines } from '../../../evidence/provenance/lineKeys.ts';
import type { AuditEntry, RecordPlace } from '../../../send/audit.ts';
import type { PendingEdits } from '../../../store/provenance/pendingEdits.ts';
import type { Logger } from '../../../util/logger.ts';
import type { AcceptedCode } from '../../edits/vscode/acceptedCode.ts';
import type { ProvenanceKey } from './provenanceKey.ts';

interface AcceptedEditsParts {
  readonly key: ProvenanceKey;
  /** Records an action that has already happened. Does not throw: returns null if it could not be written. */
  readonly note: (entry: AuditEntry) => Promise<RecordPlace | null>;
  readonly pending: Pick<PendingEdits, 'put'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Records that the user has accepted code: the number of lines, and hashes that reveal nothing without the key. */
export class AcceptedEdits {
  readonly #parts: AcceptedEditsParts;
  /** Resolves when everything so far is recorded. */
  #pending: Promise<unknown> = Promise.resolve();

  constructor(parts: AcceptedEditsParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when the code is recorded, and never rejects, because the code is already written. The records of code that was
   * accepted together are written together.
   */
  accepted(code: AcceptedCode): Promise<void> {
    const recorded = this.#record(code).catch(() =>
      this.#parts.logger.warn('Accepted code could not be recorded in the audit log.'),
    );
    this.#pending = Promise.all([this.#pending, recorded]);
    return recorded;
  }

  /** Resolves when everything is recorded. */
  async flush(): Promise<void> {
    await this.#pending;
  }

  async #record({ source, languageId, before, after }: AcceptedCode): Promise<void> {
    const edit = randomUUID();
    const added = before === null ? { lines: linesIn(after), removed: 0 } : textsOf(addedLines(before, after));
    const { code, tags, matches } = sealLines(editKeyOf(await this.#parts.key.get(), edit), added.lines);
    const place = await this.#parts.note({
      kind: 'code-accepted',
      ...(source.request === undefined ? {} : { request: source.request }),
      edit,
      language: languageId,
      added: added.lines.length,
      removed: added.removed,
      code,
    });
    const { request, model } = source;
    if (place === null || request === undefined || model === undefined || added.lines.length === 0) return;
    const hashes = { tags: tags.toString('base64'), matches: matches.toString('base64') };
    await this.#parts.pending.put({ edit, request, model, time: Date.now(), ...place, ...hashes });
  }
}

function textsOf({ lines, removed }: ReturnType<typeof addedLines>) {
  return { lines: lines.map(({ text }) => text), removed };
}
