import * as vscode from 'vscode';
import type { Diagnosis } from '../../../client/diagnosis/diagnose.ts';
import type { FactName } from '../../../client/diagnosis/facts.ts';
import type { Cause, Step, StepName } from '../../../client/diagnosis/likelyCause.ts';
import type { PostureHeader } from '../../../protocol/posture.ts';
import { factLabel, factValue, notTriedWords } from './describeFacts.ts';

const t = vscode.l10n.t;

/** The contents of the report besides the steps. Each field is chosen explicitly, so that nothing else leaks into a ticket. */
interface ReportContext {
  /** The host and port of the service. */
  readonly host: string;
  readonly baseUrl: string;
  readonly at: Date;
  readonly versions: readonly (readonly [name: string, value: string])[];
  readonly svcHeaders: readonly PostureHeader[];
  /** The reasons why the settings would block the next request. */
  readonly problems: readonly string[];
  /** The parts of requests that the service is known not to accept, one line each. */
  readonly form: readonly string[];
}

/** Returns a report in Markdown that the user can paste into a ticket. */
export function describeDiagnosis({ cause, steps, headers }: Diagnosis, about: ReportContext): string {
  const { host, baseUrl, at, versions, svcHeaders, problems, form } = about;
  const sent = [
    ...headers.map(([name, value]) => [cell(name), code(factValue(value)), '']),
    ...svcHeaders.map(({ name, value, source }) => [cell(name), code(value), cell(source)]),
  ];
  return [
    `# ${t('Connection to {0}', host)}`,
    `**${t('Most likely cause')}:** ${causeWords(cause, host)}`,
    `${t('Address')}: ${code(baseUrl)}  \n${t('Time')}: ${at.toISOString()}`,
    `## ${t('Steps')}`,
    table(
      [t('step'), t('result'), t('ms')],
      steps.map((step) => [stepLabel(step.step), result(step), step.state === 'not-tried' ? '' : `${step.durationMs}`]),
    ),
    ...steps.map((step) => `### ${stepLabel(step.step)}\n\n${factLines(step).join('\n')}`),
    `## ${t('Headers of a chat request')}`,
    table([t('header'), t('value'), t('set by')], sent),
    ...(problems.length === 0
      ? []
      : [`## ${t('Settings that block requests')}`, problems.map((one) => `- ${cell(one)}`).join('\n')]),
    ...(form.length === 0
      ? []
      : [
          `## ${t('Not accepted by the service')}`,
          form.map((one) => `- ${cell(one)}`).join('\n'),
          t('Retry on a turn sends everything again.'),
        ]),
    `## ${t('Versions')}`,
    table(
      [t('part'), t('version')],
      versions.map(([name, value]) => [cell(name), code(value)]),
    ),
    t('This report contains no keys, prompts, answers or user names.'),
    '',
  ].join('\n\n');
}

function factLines({ why, facts }: Step): readonly string[] {
  const tried = why === undefined ? [] : [[t('not tried'), notTriedWords(why)] as const];
  const known = Object.entries(facts).map(([name, value]) => [factLabel(name as FactName), factValue(value)] as const);
  return [...tried, ...known].map(([label, value]) => `- ${label}: ${code(value)}`);
}

function result({ state, error }: Step): string {
  if (state === 'ok') return t('ok');
  if (error === undefined) return state === 'not-tried' ? t('not tried') : t('failed');
  const { kind, code, status, requestId } = error;
  const parts = [kind, code, status, requestId === undefined ? undefined : t('request {0}', requestId)];
  return `${t('failed')}: ${cell(parts.filter((part) => part !== undefined).join(', '))}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/**
 * Escapes a table cell. A ticket system may render Markdown: external text must not create cells, links, images or
 * elements.
 */
function cell(text: string): string {
  return text.replace(/[\\|`*<![\]]/g, '\\$&').replace(/\s+/g, ' ');
}

/** Like cell(), but for a value, which stays readable in a code span. */
function code(text: string): string {
  return `\`${text.replace(/`/g, "'").replace(/\|/g, '\\|').replace(/\s+/g, ' ')}\``;
}

function stepLabel(step: StepName): string {
  switch (step) {
    case 'route':
      return t('Route');
    case 'names':
      return t('DNS');
    case 'connection':
      return t('Connection');
    case 'health':
      return '/health';
    case 'token':
      return '/auth/token';
    case 'models':
      return '/models';
    case 'clock':
      return t('System clock');
  }
}

/** Describes the most likely cause and what to do about it. */
export function causeWords(cause: Cause, host: string): string {
  switch (cause) {
    case 'none':
      return t('None. {0} is available, accepts the key and lists its models.', host);
    case 'settings':
      return t('A svc.network setting has an invalid value.');
    case 'unknown-host':
      return t('The host name {0} cannot be resolved. Check svc.baseUrl and your VPN.', host);
    case 'refused':
      return t('{0} refused the connection. Check the port in svc.baseUrl.', host);
    case 'timeout':
      return t('{0} did not answer in time. A firewall may block it, or a proxy may be required.', host);
    case 'broken':
      return t('The connection to {0} was lost. A firewall or a proxy may block it.', host);
    case 'proxy-auth':
      return t(
        'The proxy requires sign-in and did not accept the credentials in http.proxy, if there are any. Check http.proxy.',
      );
    case 'proxy-refused':
      return t('The proxy blocks requests to {0}. Contact its administrator.', host);
    case 'proxy-setting':
      return t('The address of the proxy is invalid. Check http.proxy and the environment variables.');
    case 'proxy-unreachable':
      return t('The proxy cannot be reached. Check http.proxy and the environment variables.');
    case 'tls-check-off':
      return t('NODE_TLS_REJECT_UNAUTHORIZED=0 is set, so nothing is sent. Remove it and restart VS Code.');
    case 'certificate-file':
      return t('A certificate file in the svc.network settings cannot be used.');
    case 'certificate-expired':
      return t('The certificate of {0} has expired, or the clock of this machine is wrong.', host);
    case 'certificate-not-yet-valid':
      return t('The certificate of {0} is not valid yet, or the clock of this machine is wrong.', host);
    case 'certificate-authority':
      return t(
        'The certificate of {0} is not signed by a trusted authority. If your company signed it, set svc.network.caFile to your company’s CA certificate.',
        host,
      );
    case 'certificate-name':
      return t('The certificate is for a different host, not for {0}. A different server may be answering.', host);
    case 'certificate-other':
      return t('The certificate of {0} was not accepted.', host);
    case 'client-certificate':
      return t('{0} requires a different client certificate. Set it in svc.network.clientCertificate.', host);
    case 'key-missing':
      return t('No API key is stored for {0}. Run Svc: Set API Key (Token)… to store one.', host);
    case 'key-refused':
      return t('{0} does not accept the stored API key. Run Svc: Set API Key (Token)… to replace it.', host);
    case 'permission':
      return t('The stored API key has no permission for this at {0}. Contact the issuer of the key.', host);
    case 'rate-limit':
      return t('{0} is receiving too many requests. Wait and try again.', host);
    case 'service-error':
      return t('{0} can be reached, but reports an error. Send the request ID to its administrator.', host);
    case 'wrong-address':
      return t(
        'The server at {0} is not the Svc service. Check svc.baseUrl, and whether the network requires sign-in.',
        host,
      );
    case 'not-accepted':
      return t('{0} did not accept the request.', host);
    case 'clock':
      return t('The clock of this machine differs from that of {0} by more than five minutes.', host);
    case 'unknown':
      return t('Unknown. The steps below show where the connection failed.');
  }
}
