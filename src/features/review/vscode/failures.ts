import type { Gap } from '../../../review/report.ts';
import type { ServiceError } from '../../../util/errors.ts';
import type { Lane } from './lanes.ts';
import { diffName, type PlannedPart, type PlannedRequest } from './plan.ts';

/** What has arrived of an answer. */
export interface Answer {
  text: string;
  finishReason?: string;
}

/** What was known of a request that failed. */
export interface FailedRequest {
  readonly answer: Answer;
  readonly lane: Lane;
  /** Others were answered meanwhile. */
  readonly hadAnswers: boolean;
}

/** The parts of a request that an error is about, where it is not about the whole. */
export function namedIn({ parts }: PlannedRequest, { kind, code, file }: ServiceError): readonly PlannedPart[] {
  if (kind !== 'gate' || (code !== 'excluded' && code !== 'too-large') || file === undefined) return [];
  return parts.filter(({ label, target }) => label === file || diffName(target) === file);
}

/** The service takes no more requests now. */
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
