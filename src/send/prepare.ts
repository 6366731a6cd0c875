import type { ToolOffer } from '../client/chat.ts';
import { chatRequest } from '../client/wireRequest.ts';
import { type Admission, admit } from '../gate/admit.ts';
import { checkSize } from '../gate/limits.ts';
import type { FoundSecret } from '../gate/secrets/examineText.ts';
import { resolvedHeaders } from '../policy/compliance/headers.ts';
import { ServiceError } from '../util/errors.ts';
import type { AuditHeader } from './audit.ts';
import type { Fitted } from './budget/contextBudget.ts';
import type { Measured } from './budget/measured.ts';
import type { ConfirmationRequest, Preview } from './confirmation.ts';
import { destinationOf, treatmentAt } from './destination.ts';
import type { BudgetedParts, DispatchParts } from './dispatchParts.ts';
import { type Examined, examine } from './examine.ts';
import { type AskedContent, requireRecognition, withoutExcludedContent } from './excludedContent.ts';
import { wholeForm } from './form/form.ts';
import type { Attachment } from './message/attachment.ts';
import { attachmentsOf, type Outgoing } from './outgoing.ts';
import { compareFiles } from './repeats.ts';

/** A request as it would be sent now, in both forms that the user can choose from. */
export interface Prepared extends AskedContent {
  readonly admission: Admission;
  /** The parts that are sent, within the budget. */
  readonly fitted: Fitted;
  readonly masked: Preview;
  readonly asIs: Preview;
  /** Secrets in the new message. */
  readonly found: readonly FoundSecret[];
  readonly mayUnmask: boolean;
  /** See destination.ts. */
  readonly destination: string;
  /** Whether secrets of the new message are sent unmasked, because the user chose so before for this destination. */
  readonly isAsIs: boolean;
  /** The origin of the earlier messages; null if it is the same, or if there are no earlier messages. */
  readonly previousOrigin: string | null;
  /** Equal fingerprints mean the same bytes and headers to the same destination. */
  readonly fingerprint: string;
}

/** All steps between a request and the wire that need no user input. Throws a ServiceError if it may not be sent. */
export async function prepare(parts: BudgetedParts, given: Outgoing, signal?: AbortSignal): Promise<Prepared> {
  const admission = await admitDelivered(parts, given, signal);
  const destination = destinationOf(admission);
  const excluded = await findExcluded(parts, given);
  const { checked, recognition } = await withoutContent(parts, given, { admission, excluded, destination }, signal);
  await compareFiles(checked.outgoing.messages, excluded, signal);
  const fitted = parts.budget.fit(checked.outgoing, admission, excluded);
  const { outgoing } = fitted;
  const sent = attachmentsOf(outgoing).filter((attachment) => !excluded.has(attachment));
  const files = sent.map(({ label, text }) => ({ label, bytes: Buffer.byteLength(text) }));
  requireSize(admission, files, 0);

  const { mayUnmask } = admission.rules;
  const rules = { scanner: await parts.scanner(), mayUnmask, excluded, destination };
  const { masked, asIs, found, labels } = await examine(outgoing, rules, signal);
  const labelOf = (attachment: Attachment): string => labels.get(attachment) ?? '';
  // The user is asked only about the new message.
  const isAsIs = outgoing.messages.some(
    ({ secrets }) =>
      typeof secrets !== 'string' && secrets.otherwise === 'ask' && treatmentAt(secrets, destination) === 'as-is',
  );
  const { baseUrl } = admission.connection;
  const wire = { baseUrl, userAgent: parts.userAgent, policy: admission.policy };
  const form = (examined: Examined): Preview => {
    const request = chatRequest(wire, {
      ...admission.options,
      ...numbersOf(admission, outgoing, parts.budget.answerTokens(admission, outgoing.maxTokens)),
      messages: examined.messages,
      asksUsage: outgoing.form?.changes.has('usage') !== true,
      ...(examined.offer === undefined ? {} : { offer: offerOf(examined.offer, outgoing) }),
    });
    requireSize(admission, [], Buffer.byteLength(request.body));
    return {
      request,
      model: admission.options.model,
      headers: headersOf(admission),
      files: examined.parts.flat().flatMap(({ file }) => file ?? []),
      masked: examined.masked,
      unmasked: examined.unmasked,
      parts: examined.parts,
      excluded: attachmentsOf(outgoing)
        .filter((attachment) => excluded.has(attachment))
        .map(labelOf),
      leftOut: checked.leftOut,
      recognition,
      ...(fitted.shortened === null ? {} : { shortened: fitted.shortened }),
    };
  };
  const forms = { masked: form(masked), asIs: form(asIs) };
  const previousOrigin = originBefore(given, admission);
  // While the user reads, more excluded files may become known. This matters only if it changes the request.
  const shown = Object.values(forms).map((one) => ({ ...one, recognition: null }));
  const fingerprint = JSON.stringify([...shown, admission.rules, previousOrigin]);
  return {
    admission,
    fitted,
    ...forms,
    found,
    ...checked.asked,
    mayUnmask,
    destination,
    isAsIs: isAsIs && mayUnmask,
    previousOrigin,
    fingerprint,
  };
}

async function admitDelivered(parts: BudgetedParts, given: Outgoing, signal?: AbortSignal): Promise<Admission> {
  const admission = admit(await parts.requestContext(given));
  if (admission.rules.isDeliveryRequired) await parts.requireDelivery(signal);
  return admission;
}

/** Measures the request that prepare() would make of a question that is still being written. Throws a ServiceError like it. */
export async function measure(parts: BudgetedParts, given: Outgoing): Promise<Measured> {
  const admission = admit(await parts.requestContext(given));
  const excluded = await findExcluded(parts, given);
  await compareFiles(given.messages, excluded);
  return parts.budget.measure(given, admission, excluded);
}

/**
 * Checks what can be checked before the user has written the question: trust, settings, and whether its files may be sent.
 * Throws a ServiceError as prepare() does.
 */
export async function admitFiles(parts: BudgetedParts, given: Outgoing): Promise<Admission> {
  const admission = admit(await parts.requestContext(given));
  await findExcluded(parts, given);
  return admission;
}

/** Leaves out text of excluded files, wherever it occurs. */
async function withoutContent(
  parts: DispatchParts,
  given: Outgoing,
  about: Pick<Prepared, 'admission' | 'destination'> & { readonly excluded: ReadonlySet<Attachment> },
  signal: AbortSignal | undefined,
) {
  const isRequired = about.admission.rules.isRecognitionRequired;
  const isQuick = given.action === 'inlineCompletions';
  const excluded = [...about.excluded].flatMap(({ uri, covers = [] }) => [
    uri,
    ...covers.map((covered) => covered.uri),
  ]);
  const recognition = await parts.recognition({ isCompleteRequired: isRequired, isQuick, excluded }, signal);
  if (isRequired) requireRecognition(recognition.state);
  const checked = await withoutExcludedContent(given, recognition, about, signal);
  return { checked, recognition: recognition.state };
}

/** Returns the question to the user, or null if there is nothing to ask. */
export function confirmationOf({
  admission,
  masked,
  asIs,
  found,
  leftOutOfMessage,
  leftOutOfCalls,
  mayUnmask,
  previousOrigin,
}: Prepared): ConfirmationRequest | null {
  const reasons = found.length + leftOutOfMessage.length + leftOutOfCalls.length;
  if (reasons === 0 && !admission.rules.isPreviewRequired && previousOrigin === null) return null;
  const canBeAsIs = mayUnmask && found.length > 0;
  return {
    preview: masked,
    found,
    leftOutOfMessage,
    ...(leftOutOfCalls.length === 0 ? {} : { leftOutOfCalls }),
    ...(canBeAsIs ? { asIs } : {}),
    ...(previousOrigin === null ? {} : { previousOrigin }),
  };
}

function originBefore({ cameFrom, messages }: Outgoing, { connection }: Admission): string | null {
  const isFirst = messages.length < 2 && messages[0]?.earlier === undefined;
  if (cameFrom === undefined || cameFrom === connection.origin || isFirst) return null;
  return cameFrom;
}

function headersOf({ policy }: Pick<Admission, 'policy'>): readonly AuditHeader[] {
  return resolvedHeaders(policy).map(({ name, value, setBy }) => ({ name, value, setBy }));
}

/** The optional numbers of a request, as far as the service accepts them. */
function numbersOf(admission: Admission, outgoing: Outgoing, maxTokens: number | undefined) {
  const { changes } = outgoing.form ?? wholeForm;
  return {
    maxTokens: changes.has('max-tokens') ? null : smallerOf(admission, maxTokens),
    isMaxTokensRenamed: changes.has('max-tokens-renamed'),
    temperature: changes.has('temperature') ? null : (admission.options.temperature ?? outgoing.temperature ?? null),
  };
}

/** Leaves out `tool_choice` if the service refuses it, unless a tool has to be called. */
function offerOf(offer: ToolOffer, { form }: Outgoing): ToolOffer {
  const isLeftOut = form?.changes.has('tool-choice') === true && offer.choice === 'auto';
  return isLeftOut ? { ...offer, isChoiceLeftOut: true } : offer;
}

function smallerOf({ options }: Admission, maxTokens: number | undefined): number | null {
  return maxTokens === undefined ? options.maxTokens : Math.min(maxTokens, options.maxTokens ?? maxTokens);
}

/**
 * An attachment of the new message that may not be sent blocks the request; one of an earlier message, or one in the lead,
 * is omitted.
 */
async function findExcluded(parts: DispatchParts, outgoing: Outgoing): Promise<ReadonlySet<Attachment>> {
  const excluded = new Set<Attachment>();
  for (const message of outgoing.messages) {
    const { lead = [] } = message;
    for (const part of [...lead, ...message.parts]) {
      if (typeof part === 'string') continue;
      const reason = await parts.exclusion(part);
      if (reason === null) continue;
      if (message === lastQuestion(outgoing) && !lead.includes(part)) {
        throw new ServiceError('gate', 'A file may not be sent.', { code: 'excluded', file: part.label, reason });
      }
      excluded.add(part);
    }
  }
  return excluded;
}

function lastQuestion({ messages }: Outgoing): Outgoing['messages'][number] | undefined {
  return messages.findLast(({ role }) => role === 'user');
}

function requireSize(
  { rules }: Admission,
  files: readonly { label: string; bytes: number }[],
  bodyBytes: number,
): void {
  const tooLarge = checkSize({ bodyBytes, files }, rules.limits);
  if (tooLarge === null) return;
  const { what, label, bytes, limit } = tooLarge;
  throw new ServiceError('gate', `The ${what} is too large.`, {
    code: 'too-large',
    details: { size: { bytes, limit } },
    ...(label === undefined ? {} : { file: label }),
  });
}
