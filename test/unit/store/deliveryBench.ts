// A collector on loopback, the log of one machine, and the windows that deliver it.
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServiceClient } from '../../../src/client/serviceClient.ts';
import type { TimeLimits } from '../../../src/client/timeouts.ts';
import type { OtlpPolicy } from '../../../src/policy/managed/evidencePolicy.ts';
import { Delivery, type DeliveryParts } from '../../../src/store/audit/delivery/delivery.ts';
import type { EvidenceLog } from '../../../src/store/audit/evidenceLog.ts';
import { AuditBench, FileSecrets } from './auditSamples.ts';

export interface SentRecord {
  readonly body: { readonly stringValue: string };
  readonly eventName: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, string>> }[];
}

/** Answers `{}` unless a test says otherwise. Keeps the lines of what it has taken (2xx). */
export class Collector {
  readonly bodies: string[] = [];
  readonly requests: IncomingMessage[] = [];
  readonly records: SentRecord[] = [];
  answer: (response: ServerResponse, body: string) => void = (response) => reply(response, 200, '{}');
  readonly #server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (data) => {
      body += data;
    });
    request.on('end', () => {
      this.requests.push(request);
      this.bodies.push(body);
      response.on('finish', () => {
        if (response.statusCode < 300) this.records.push(...recordsIn(body));
      });
      this.answer(response, body);
    });
  });

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1/logs`;
  }

  get lines(): readonly string[] {
    return this.records.map(({ body }) => body.stringValue);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

export function recordsIn(body: string): readonly SentRecord[] {
  return JSON.parse(body).resourceLogs[0].scopeLogs[0].logRecords;
}

export function reply(response: ServerResponse, status: number, body = '', headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(body);
}

/** Waits take no time. */
export const quick = { gatherMs: 1, busyMs: 5, baseMs: 1, maxMs: 4 };

export class DeliveryBench {
  readonly audit = new AuditBench<FileSecrets>((root) => new FileSecrets(join(root, 'secrets')));
  readonly logged: string[] = [];
  readonly #open: { dispose(): unknown }[] = [];
  policy: OtlpPolicy | undefined;
  /** The number of times that the state of a delivery changed. */
  #changed = Promise.withResolvers<void>();

  async collector(): Promise<Collector> {
    const made = await new Collector().start();
    this.policy = { ...this.policy, url: made.url };
    this.#open.push({ dispose: () => made.stop() });
    return made;
  }

  get stateFolder(): string {
    return join(this.audit.root, 'delivery');
  }

  window(
    log: EvidenceLog | null = null,
    { limits = {}, ...more }: Partial<DeliveryParts> & { readonly limits?: Partial<TimeLimits> } = {},
  ): Delivery {
    const logger = { trace() {}, debug() {}, info() {}, warn: (text: string) => this.logged.push(text), error() {} };
    const client = createServiceClient({
      ...{ logger, userAgent: 'svc-coder/test', limits: () => limits },
      storedKeys: async () => ['svc_ent_key-of-the-service'],
    });
    const delivery = new Delivery({
      ...{ folder: this.audit.folder, stateFolder: this.stateFolder, version: '1.2.3', logger, times: quick },
      collector: () => this.policy,
      send: (...about) => client.sendLogs(...about),
      written: () => log?.written ?? null,
      onDidChange: () => {
        this.#changed.resolve();
        this.#changed = Promise.withResolvers();
      },
      ...more,
    });
    this.#open.push(delivery, client);
    return delivery;
  }

  /** Resolves when a condition holds, looked at after each attempt. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await this.#changed.promise;
  }

  /** All lines on the disk, of sessions and ledgers. */
  onDisk(): string[] {
    const names = readdirSync(this.audit.folder).filter((name) => name.endsWith('.jsonl'));
    return names.flatMap((name) => readFileSync(join(this.audit.folder, name), 'utf8').split('\n').slice(0, -1));
  }

  /** What a collector has taken, as a folder for `verify.mjs --collected`. */
  collected({ lines }: Pick<Collector, 'lines'>): string {
    const path = join(this.audit.root, `collected-${Math.random()}.log`);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    return path;
  }

  async clear(): Promise<void> {
    for (const one of this.#open) await one.dispose();
    await this.audit.clear();
  }
}
