import assert from 'node:assert/strict';
import type { AdmitAgain, ChatEvent, ChatKey, Message } from '../../../src/client/chat.ts';
import type { WireChat } from '../../../src/client/wireRequest.ts';
import type { SecretScanner } from '../../../src/gate/secrets/secretScanner.ts';
import { resolvePolicy } from '../../../src/policy/compliance/resolve.ts';
import { resolveConnection } from '../../../src/policy/connection.ts';
import type { ManagedPolicy } from '../../../src/policy/managed/managedPolicy.ts';
import { resolveRequestOptions } from '../../../src/policy/requestOptions.ts';
import { resolvePreview } from '../../../src/policy/resolvePreview.ts';
import type { AuditEntry } from '../../../src/send/audit.ts';
import { ContextBudget } from '../../../src/send/budget/contextBudget.ts';
import type { ConfirmationChoice, ConfirmationRequest, ConfirmSend } from '../../../src/send/confirmation.ts';
import type { AsIs } from '../../../src/send/destination.ts';
import { createDispatch } from '../../../src/send/dispatch.ts';
import type { DispatchParts } from '../../../src/send/dispatchParts.ts';
import type { RecognitionWanted } from '../../../src/send/excludedContent.ts';
import type { Outgoing, OutgoingMessage } from '../../../src/send/outgoing.ts';
import type { DispatchEvent } from '../../../src/send/withAuditOutcome.ts';
import type { ServiceError } from '../../../src/util/errors.ts';
import { inForce, openPolicy } from '../../tools/managedPolicy.ts';
import { user } from '../policy/layers.ts';
import { recognizing } from './recognition.ts';

/** Finds the word SECRET, once per line. */
const scanner: SecretScanner = {
  scanText: async (text) =>
    [...text.matchAll(/SECRET/g)].map(({ index }) => ({
      rule: 'word',
      start: index,
      end: index + 6,
      line: text.slice(0, index).split('\n').length,
    })),
  maskText: async (text, found) => (found.length === 0 ? text : text.replaceAll('SECRET', '[masked: word]')),
};

export const nobodyAsked: ConfirmSend = () => assert.fail('the user was asked');

/** A dispatch whose client a test answers for. */
export class Stage {
  readonly settings: Record<string, unknown> = { 'svc.baseUrl': 'http://127.0.0.1:1/api/v1' };
  rules: ManagedPolicy = openPolicy;
  isTrusted = true;
  excluded = new Map<string, string>();
  recognition = recognizing({});
  /** How long each request waits for it. */
  readonly wanted: RecognitionWanted[] = [];
  key: string | undefined = 'svc_ent_key';
  readonly log: string[] = [];
  readonly audited: AuditEntry[] = [];
  /** The users that the entries of requests name; null for an entry that belongs to no request. */
  readonly users: (string | undefined | null)[] = [];
  auditError: ServiceError | null = null;
  deliveryError: ServiceError | null = null;
  limitError: ServiceError | null = null;
  readonly sent: { request: WireChat; key: ChatKey; messages: readonly Message[] }[] = [];
  answer: (admitAgain: AdmitAgain, request: WireChat) => AsyncGenerator<readonly ChatEvent[]> = async function* () {
    yield [{ type: 'response', status: 200, requestId: 'r1' }];
    yield [{ type: 'text-delta', text: 'Hi' }];
    yield [
      { type: 'usage', usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 } },
      { type: 'finish', finishReason: 'stop' },
    ];
  };

  readonly parts: DispatchParts = {
    requestContext: ({ modelKey, action }) => {
      const layers = [user(this.settings)];
      return {
        isTrusted: this.isTrusted,
        policy: resolvePolicy(layers),
        connection: resolveConnection(layers),
        options: resolveRequestOptions(layers, modelKey),
        preview: resolvePreview(layers),
        settingsFiles: [],
        managed: inForce(this.rules),
        ...(action === 'chat' ? {} : { feature: action }),
      };
    },
    exclusion: async ({ label }) => this.excluded.get(label) ?? null,
    recognition: async (wanted) => {
      this.wanted.push(wanted);
      return this.recognition;
    },
    scanner: async () => scanner,
    apiKey: async () => this.key,
    userAgent: 'svc-coder/test',
    audit: {
      record: async (entry, of) => {
        if (this.auditError !== null) throw this.auditError;
        this.log.push(entry.kind);
        this.audited.push(entry);
        this.users.push(of === undefined ? null : of.subject);
      },
    },
    requireDelivery: async () => {
      if (this.deliveryError !== null) throw this.deliveryError;
    },
    reserve: async (limits, record) => {
      this.log.push(`reserve ${JSON.stringify(limits)}`);
      if (this.limitError !== null) throw this.limitError;
      await record();
    },
    logger: { trace() {}, debug() {}, info() {}, warn: (message) => this.log.push(message), error() {} },
    chatClient: async () => ({
      streamChat: (request, key, admitAgain) => {
        this.log.push('sent');
        this.sent.push({ request, key, messages: JSON.parse(request.body).messages });
        return this.answer(admitAgain, request);
      },
    }),
  };

  readonly budget = new ContextBudget();
  readonly dispatch = createDispatch(this.parts, undefined, this.budget);

  async send(outgoing: Outgoing, confirmSend: ConfirmSend = nobodyAsked): Promise<DispatchEvent[]> {
    const { events } = await this.dispatch.send(outgoing, confirmSend, new AbortController().signal);
    const all: DispatchEvent[] = [];
    for await (const batch of events) all.push(...batch);
    return all;
  }

  /** The kinds of the records. */
  get kinds(): AuditEntry['kind'][] {
    return this.audited.map(({ kind }) => kind);
  }

  entry<K extends AuditEntry['kind']>(kind: K): Extract<AuditEntry, { kind: K }> {
    const found = this.audited.find((entry) => entry.kind === kind);
    assert.ok(found);
    return found as Extract<AuditEntry, { kind: K }>;
  }
}

export function outgoing(...messages: readonly OutgoingMessage[]): Outgoing {
  return { action: 'chat', messages, modelKey: 'svc.model.chat', folders: [] };
}

/** The user chose to send secrets unmasked to the destination of a stage. */
export const agreed: AsIs = { asIsFor: 'http://127.0.0.1:1', otherwise: 'mask' };

export function asks(...parts: OutgoingMessage['parts']): OutgoingMessage {
  return { role: 'user', parts, secrets: 'ask' };
}

export function answering(...choices: readonly ConfirmationChoice[]): {
  readonly confirmSend: ConfirmSend;
  readonly seen: ConfirmationRequest[];
} {
  const seen: ConfirmationRequest[] = [];
  return {
    seen,
    confirmSend: async (request) => {
      seen.push(request);
      return choices[seen.length - 1] ?? assert.fail('asked too often');
    },
  };
}
