import { batch, computed, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type {
  AuditCalls,
  AuditData,
  AuditDataMessage,
  AuditStatus,
  AuditStrings,
} from '../../protocol/audit/auditMessages.ts';
import { Channel, errorText, type HostPort } from '../channel.ts';
import type { PageState } from '../composer/draft.ts';
import { defaultFilter, type Filter, filtered, filteredRefusals, parseFilter, rangeOf } from './filter.ts';
import type { Formats } from './format.ts';
import { PageLog } from './pageLog.ts';
import { summaryOf } from './summary.ts';

const shownAtOnce = 200;
/** The time after which the page is first drawn while parts of the log arrive, in ms. */
const firstDrawing = 200;
/** The time between later drawings: `ms`, or `times` the duration of a drawing if that is longer. */
const nextDrawing = { ms: 500, times: 5 } as const;

/** The state of the page. Rows are filtered and summed up once for each change of either, never while rendering. */
export class AuditState {
  readonly data = signal<AuditData | undefined>(undefined);
  readonly filter;
  /** The maximum number of requests in the table. */
  readonly limit = signal(shownAtOnce);
  /** The ids of the requests whose further values are shown. */
  readonly opened = signal<ReadonlySet<string>>(new Set());
  /** The calls that the host has not answered yet. */
  readonly #pending = signal<readonly { readonly method: keyof AuditCalls }[]>([]);
  readonly isVerifying = computed(() => this.#pending.value.some(({ method }) => method === 'verify'));
  readonly isLoading = computed(() => this.#pending.value.some(({ method }) => method !== 'export'));
  /** The reason why the last call failed, localized by the host; empty if it succeeded. */
  readonly error = signal('');
  readonly #now = signal(Date.now());
  readonly rows = computed(() => filtered(this.data.value?.rows ?? [], this.filter.value, this.#now.value));
  readonly refusals = computed(() =>
    filteredRefusals(this.data.value?.refusals ?? [], this.filter.value, this.#now.value),
  );
  readonly summary = computed(() =>
    summaryOf(this.rows.value, rangeOf(this.filter.value, this.#now.value), this.#now.value),
  );
  #log = new PageLog();
  #drawing: ReturnType<typeof setTimeout> | undefined;
  #drawingMs = 0;
  #status: AuditStatus | undefined;
  readonly #page: PageState;
  readonly #channel: Channel<AuditCalls>;

  constructor(port: HostPort & PageState) {
    this.#page = port;
    this.#channel = new Channel(port);
    this.filter = signal<Filter>(parseFilter(port.getState()));
  }

  change(change: Partial<Filter>): void {
    batch(() => {
      this.filter.value = { ...this.filter.value, ...change };
      this.limit.value = shownAtOnce;
      this.#now.value = Date.now();
    });
    // The page is created again each time it is shown. The filter is the only part that the user would have to enter again.
    this.#page.setState(this.filter.value);
  }

  clear(): void {
    this.change(defaultFilter);
  }

  showMore(): void {
    this.limit.value += shownAtOnce;
  }

  /** Shows the further values of a request, or hides them. */
  toggle(request: string): void {
    const opened = new Set(this.opened.value);
    if (!opened.delete(request)) opened.add(request);
    this.opened.value = opened;
  }

  /** Resolves when the host has answered, also with an error, which the page shows. */
  async call<Name extends keyof AuditCalls>(method: Name, ...params: Parameters<AuditCalls[Name]>): Promise<void> {
    const call = { method };
    batch(() => {
      this.error.value = '';
      this.#pending.value = [...this.#pending.value, call];
    });
    const err = await this.#channel.ask(method, ...params).then(() => undefined, errorText);
    batch(() => {
      this.#pending.value = this.#pending.value.filter((each) => each !== call);
      if (err !== undefined) this.error.value = err;
    });
  }

  /** Handles one message; ignores anything that is not from the host. */
  receive(message: unknown): void {
    this.#channel.receive(message);
    if (!isData(message)) return;
    const { isNew, parts, status } = message;
    if (isNew) this.#log = new PageLog();
    const decoder = new TextDecoder();
    for (const part of parts) this.#log.add(JSON.parse(decoder.decode(part)));
    this.#status = status;
    if (status.isWhole) this.#draw();
    else this.#drawSoon();
  }

  #drawSoon(): void {
    const { ms, times } = nextDrawing;
    const wait = this.data.value === undefined ? firstDrawing : Math.max(ms, times * this.#drawingMs);
    this.#drawing ??= setTimeout(() => this.#draw(), wait);
  }

  /** Shows what has arrived. */
  #draw(): void {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    if (this.#status === undefined) return;
    const startedAt = performance.now();
    const data = this.#log.data(this.#status);
    batch(() => {
      this.data.value = data;
      this.#now.value = Date.now();
    });
    this.#drawingMs = performance.now() - startedAt;
  }
}

function isData(message: unknown): message is AuditDataMessage {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'data';
}

/** The context of every part of the page. */
interface AuditPage {
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
