import type { Gap } from '../../../review/report.ts';
import type { ServiceError } from '../../../util/errors.ts';
import type { Lane } from './lanes.ts';
import { diffName, type PlannedPart, type PlannedRequest } from './plan.ts';

/** The part of an answer that has arrived. */
export interface Answer {
  text: string;
  finishReason?: string;
}

/** The state of a request when it failed. */
export interface FailedRequest {
  readonly answer: Answer;
  readonly lane: Lane;
  /** Whether other requests were answered while this one ran. */
  readonly hadAnswers: boolean;
}

/** The parts of a request that an error is about; empty if it is about the whole request. */
export function namedIn({ parts }: PlannedRequest, { kind, code, file }: ServiceError): readonly PlannedPart[] {
  if (kind !== 'gate' || (code !== 'excluded' && code !== 'too-large') || file === undefined) return [];
  return parts.filter(({ label, target }) => label === file || diffName(target) === file);
}

/** Whether the service accepts no more requests at the moment. */
export function isCrowded({ kind, code }: ServiceError): boolean {
  return kind === 'rateLimit' && code !== 'quota';
}

/** Whether an error would affect every other request too. */
export function meetsAll({ kind, code }: ServiceError): boolean {
  if (kind === 'gate') return code !== 'excluded' && code !== 'too-large';
  return kind === 'auth' || kind === 'permission' || kind === 'policy' || kind === 'rateLimit' || code === 'quota';
}

export function failed({ kind, code, status, externalCode }: ServiceError): Gap {
  if (code === 'excluded') return { reason: 'excluded' };
  return { reason: 'request-failed', kind, detail: String(status ?? externalCode ?? '') };
}
