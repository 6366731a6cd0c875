import { batch, computed, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AuditCall, AuditData, AuditHostMessage, AuditStrings } from '../../protocol/auditMessages.ts';
import { defaultFilter, type Filter, filtered, parseFilter, rangeOf } from './filter.ts';
import type { Formats } from './format.ts';
import { summaryOf } from './summary.ts';

/** What VS Code gives the page. */
export interface AuditPort {
  postMessage(message: AuditCall): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** A call without the number that its reply will have. */
export type AuditAsk = { readonly type: 'ready' | 'refresh' | 'verify' } | Omit<AuditCall & { type: 'export' }, 'id'>;

const shownAtOnce = 200;

/** What the page shows. Rows are filtered and summed up once for each change of either, never while drawing. */
export class AuditState {
  readonly data = signal<AuditData | undefined>(undefined);
  readonly filter;
  /** At most so many requests are in the table. */
  readonly limit = signal(shownAtOnce);
  /** Calls of each kind that the host has not answered yet. */
  readonly #pending = signal<ReadonlyMap<number, AuditCall['type']>>(new Map());
  readonly isVerifying = computed(() => [...this.#pending.value.values()].includes('verify'));
  readonly isLoading = computed(() => [...this.#pending.value.values()].some((type) => type !== 'export'));
  /** Why the last call failed, in the host's words; empty when it did not. */
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
    // The page is made anew each time it is shown: its filter is what a person would have to set again.
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

  /** Takes one message; what is none of the host's is left alone. */
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

/** What every part of the page is given. */
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
