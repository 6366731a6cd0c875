import { batch, computed, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AuditCall, AuditData, AuditHostMessage, AuditStrings } from '../../protocol/auditMessages.ts';
import { defaultFilter, type Filter, filtered, parseFilter, rangeOf } from './filter.ts';
import type { Formats } from './format.ts';
import { summaryOf } from './summary.ts';

/** The part of VS Code's API that the page uses. */
export interface AuditPort {
  postMessage(message: AuditCall): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** A call without its reply number. */
export type AuditAsk = { readonly type: 'ready' | 'refresh' | 'verify' } | Omit<AuditCall & { type: 'export' }, 'id'>;

const shownAtOnce = 200;

/** The state of the page. Rows are filtered and summed up once for each change of either, never while rendering. */
export class AuditState {
  readonly data = signal<AuditData | undefined>(undefined);
  readonly filter;
  /** Maximum number of requests in the table. */
  readonly limit = signal(shownAtOnce);
  /** Calls of each kind that the host has not answered. */
  readonly #pending = signal<ReadonlyMap<number, AuditCall['type']>>(new Map());
  readonly isVerifying = computed(() => [...this.#pending.value.values()].includes('verify'));
  readonly isLoading = computed(() => [...this.#pending.value.values()].some((type) => type !== 'export'));
  /** Why the last call failed, as localised by the host; empty if it succeeded. */
  readonly error = signal('');
  readonly #now = signal(Date.now());
  readonly rows = computed(() => filtered(this.data.value?.rows ?? [], this.filter.value, this.#now.value));
  readonly summary = computed(() =>
    summaryOf(this.rows.value, rangeOf(this.filter.value, this.#now.value), this.#now.value),
  );
  readonly #port: AuditPort;
  #nextId = 1;

  constructor(port: AuditPort) {
    this.#port = port;
    this.filter = signal<Filter>(parseFilter(port.getState()));
  }

  change(change: Partial<Filter>): void {
    batch(() => {
      this.filter.value = { ...this.filter.value, ...change };
      this.limit.value = shownAtOnce;
      this.#now.value = Date.now();
    });
    // The page is created again each time it is shown: only its filter would be lost work for the user.
    this.#port.setState(this.filter.value);
  }

  clear(): void {
    this.change(defaultFilter);
  }

  showMore(): void {
    this.limit.value += shownAtOnce;
  }

  call(ask: AuditAsk): void {
    const id = this.#nextId++;
    batch(() => {
      this.error.value = '';
      this.#pending.value = new Map([...this.#pending.value, [id, ask.type]]);
    });
    this.#port.postMessage({ ...ask, id });
  }

  /** Handles one message; ignores anything that is not from the host. */
  take(message: AuditHostMessage | undefined): void {
    if (message?.type === 'data') {
      batch(() => {
        this.data.value = message.data;
        this.#now.value = Date.now();
      });
    } else if (message?.type === 'reply') {
      const { id, err = '' } = message;
      batch(() => {
        this.#pending.value = new Map([...this.#pending.value].filter(([pending]) => pending !== id));
        if (err !== '') this.error.value = err;
      });
    }
  }
}

/** The context of every part of the page. */
export interface AuditPage {
  readonly state: AuditState;
  readonly strings: AuditStrings;
  readonly formats: Formats;
}

export const AuditContext = createContext<AuditPage | undefined>(undefined);

export function useAudit(): AuditPage {
  const page = useContext(AuditContext);
  if (page === undefined) throw new Error('A part of the page was drawn outside of it.');
  return page;
}
