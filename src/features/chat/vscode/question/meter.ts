import type { MeterView } from '../../../../protocol/panelEvents.ts';
import type { Measured } from '../../../../send/budget/measured.ts';
import type { Session } from '../../../../session/session.ts';
import { Disposable } from '../../../../util/disposable.ts';
import { isServiceError } from '../../../../util/errors.ts';
import { Emitter } from '../../../../util/event.ts';
import type { Logger } from '../../../../util/logger.ts';
import type { PendingAttachments } from '../../../context/vscode/attachments/pendingAttachments.ts';
import type { NextRequest } from '../../../context/vscode/nextRequest.ts';
import { viewMeter } from './describeMeter.ts';

/** The minimum time in milliseconds between two changes of the meter. */
const meterMs = 250;

type Changing = (listener: () => void) => { dispose(): unknown };

export interface MeterParts {
  readonly session: Pick<Session, 'isBusy' | 'measure' | 'onDidChange'>;
  readonly next: Pick<NextRequest, 'command' | 'content'>;
  readonly attachments: Pick<PendingAttachments, 'content'> & { readonly onDidChange: Changing };
  /** Fires when something else changes the request: settings, instructions, the command, a service's refusal. */
  readonly changes: readonly Changing[];
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * The share of the model's window that the next request takes. The request is measured as dispatch would build it, when the
 * conversation or the settings change. The typed text and the attachments are added to that.
 */
export class Meter extends Disposable {
  readonly #changed = this._register(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #parts: MeterParts;
  #shown: MeterView | undefined;
  #typed = 0;
  #measured: Measured | undefined;
  #isStale = true;
  /** Whether the page has reported the content of its composer; before, the meter is not shown. */
  #isStarted = false;
  #isLooking = false;
  #isWanted = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: MeterParts) {
    super();
    this.#parts = parts;
    const { session, attachments, changes } = parts;
    const onChange = (): void => {
      this.#isStale = true;
      this.#soon();
    };
    this._register({ dispose: () => clearTimeout(this.#timer) });
    this._register(attachments.onDidChange(() => this.#soon()));
    for (const onDidChange of changes) this._register(onDidChange(onChange));
    this._register(
      session.onDidChange(({ type }) => {
        if (type !== 'delta' && type !== 'thinking' && type !== 'turn-added' && type !== 'conversation-left')
          onChange();
      }),
    );
  }

  get shown(): MeterView | undefined {
    return this.#shown;
  }

  /** Sets the size of the composer's text in UTF-8. */
  type(bytes: number): void {
    this.#typed = bytes;
    this.#isStarted = true;
    this.#soon();
  }

  #soon(): void {
    this.#isWanted = true;
    if (this.#isStarted && !this.#isLooking && this.#timer === undefined) void this.#look();
  }

  async #look(): Promise<void> {
    this.#isWanted = false;
    this.#isLooking = true;
    // A running answer becomes part of the next request when it has ended.
    if (this.#isStale && !this.#parts.session.isBusy) {
      this.#isStale = false;
      this.#measured = await this.#measure();
    }
    this.#isLooking = false;
    if (this._isDisposed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isWanted) void this.#look();
    }, meterMs);
    this.#show();
  }

  /** Returns undefined if nothing can be sent: the panel shows the reason. */
  async #measure(): Promise<Measured | undefined> {
    const { session, next, logger } = this.#parts;
    const { command } = next;
    try {
      const question = { action: 'chat', prompt: '', attachments: [] } as const;
      return await session.measure({ ...question, ...(command === undefined ? {} : { command }) });
    } catch (error) {
      if (!isServiceError(error)) logger.warn('The next request could not be measured.');
      return undefined;
    }
  }

  #show(): void {
    const { next, attachments } = this.#parts;
    const { name } = next.command ?? {};
    // The text of the command is sent instead of its name.
    const bytes = Math.max(0, this.#typed - (name === undefined ? 0 : name.length + 1));
    const taken = this.#measured?.with(bytes, [...attachments.content, ...next.content]);
    const shown = taken === undefined ? undefined : viewMeter(taken);
    if (JSON.stringify(shown) === JSON.stringify(this.#shown)) return;
    this.#shown = shown;
    this.#changed.fire();
  }
}
