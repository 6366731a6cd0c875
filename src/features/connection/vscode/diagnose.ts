import { release } from 'node:os';
import * as vscode from 'vscode';
import type { Cause, Step } from '../../../client/diagnosis/likelyCause.ts';
import { localIdentity } from '../../../client/localIdentity.ts';
import type { ServiceClient } from '../../../client/serviceClient.ts';
import { formLines } from '../../../platform/confirm/describeForm.ts';
import type { ReadOnlyDocuments } from '../../../platform/confirm/readOnlyDocument.ts';
import type { ApiKeyStore } from '../../../platform/keys/apiKeyStore.ts';
import {
  type Failure,
  failureOf,
  showFailure,
  withErrorReporting,
} from '../../../platform/messages/withErrorReporting.ts';
import type { RequestAbout, RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import type { Connection } from '../../../policy/connection.ts';
import type { LearnedForms } from '../../../send/form/learnedForms.ts';
import { isServiceError } from '../../../util/errors.ts';
import { redactor } from '../../../util/text/redact.ts';
import { describeDiagnosis } from './describeDiagnosis.ts';

const t = vscode.l10n.t;

interface DiagnoseServices {
  readonly keys: ApiKeyStore;
  readonly contextReader: RequestContextReader;
  readonly client: () => Promise<ServiceClient>;
  readonly documents: ReadOnlyDocuments;
  /** The description of the panel's next request. */
  readonly next: { readonly about: RequestAbout };
  readonly version: string;
  readonly learned: LearnedForms;
}

/** The result of the command. `ok` means that nothing is wrong. */
interface DiagnosisResult {
  readonly ok: boolean;
  readonly cause: Cause;
  readonly steps: readonly (Step & { readonly ok: boolean })[];
}

/** Tests each step of a request and opens a report that the user can paste into a ticket. */
export async function diagnoseConnection(services: DiagnoseServices): Promise<DiagnosisResult | Failure> {
  let connection: Connection;
  try {
    connection = services.contextReader.requireConnection();
  } catch (error) {
    if (!isServiceError(error)) throw error;
    void showFailure(error, t('the service'), () => diagnoseConnection(services));
    return failureOf(error);
  }
  const { baseUrl } = connection;
  const { host } = new URL(baseUrl);
  let apiKey = '';
  const result = await withErrorReporting(t('Checking the connection to {0}…', host), host, async (signal) => {
    const client = await services.client();
    apiKey = (await services.keys.get(connection, signal)) ?? '';
    return { ok: true as const, diagnosis: await client.diagnose({ baseUrl, apiKey }, signal) };
  });
  if (!result.ok) return result;
  const { diagnosis } = result;
  const { posture } = services.contextReader.read(services.next.about);
  const text = describeDiagnosis(diagnosis, {
    host,
    baseUrl,
    at: new Date(),
    versions: versions(services.version),
    svcHeaders: posture.headers,
    problems: posture.problems,
    form: services.learned
      .knownAt(baseUrl)
      .flatMap(({ model, form }) => formLines(form).map((line) => `${model}: ${line}`)),
  });
  const clean = redactor({ secrets: [apiKey, ...(await services.keys.all())], ...localIdentity() })(text);
  // The report names the most likely cause first, so no message repeats it.
  await services.documents.showRendered(t('Connection Report'), clean);
  const steps = diagnosis.steps.map((step) => ({ ...step, ok: step.state === 'ok' }));
  return { ok: diagnosis.cause === 'none', cause: diagnosis.cause, steps };
}

function versions(own: string): readonly (readonly [string, string])[] {
  return [
    ['Svc Coder', own],
    [vscode.env.appName, vscode.version],
    ['Node', process.version],
    [t('Platform'), `${process.platform} ${process.arch} ${release()}`],
    [t('Remote'), vscode.env.remoteName ?? t('none')],
    [t('Window'), vscode.env.uiKind === vscode.UIKind.Web ? t('browser') : t('desktop')],
  ];
}
