import { isKindFrom } from '../../util/errorKinds.ts';
import type { ErrorCode, ServiceErrorKind } from '../../util/errors.ts';
import { type CertificateVerdict, certificateVerdict } from '../../util/networkFacts.ts';
import type { Facts } from './facts.ts';

/** The steps of a diagnosis, in order. */
export type StepName = 'route' | 'names' | 'connection' | 'health' | 'token' | 'models' | 'clock';

export interface StepError {
  readonly kind: ServiceErrorKind | 'clock';
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
}

/** The reason why a step was not tried. */
export type NotTried = 'settings' | 'no-answer' | 'no-key' | 'no-time';

/**
 * The result of one step. Its facts are selected one by one: they contain no key, header value, user name or password.
 */
export interface Step {
  readonly step: StepName;
  readonly state: 'ok' | 'failed' | 'not-tried';
  /** The reason why the step was not tried; undefined if it was. */
  readonly why?: NotTried;
  readonly durationMs: number;
  readonly facts: Facts;
  readonly error?: StepError;
}

export type Cause =
  | 'none'
  | 'settings'
  | 'unknown-host'
  | 'refused'
  | 'timeout'
  | 'broken'
  | 'proxy-auth'
  | 'proxy-refused'
  | 'proxy-setting'
  | 'proxy-unreachable'
  | 'tls-check-off'
  | 'certificate-file'
  | 'certificate-expired'
  | 'certificate-not-yet-valid'
  | 'certificate-authority'
  | 'certificate-name'
  | 'certificate-other'
  | 'client-certificate'
  | 'key-missing'
  | 'key-refused'
  | 'permission'
  | 'rate-limit'
  | 'service-error'
  | 'wrong-address'
  | 'not-accepted'
  | 'clock'
  | 'unknown';

/**
 * Returns the single most likely cause. Requests take precedence: if the service answered them, a name that this
 * machine cannot resolve, or a connection that only VS Code's own stack can make, is not a fault.
 */
export function likelyCause(steps: readonly Step[]): Cause {
  const errorAt = (name: StepName): StepError | undefined => steps.find(({ step }) => step === name)?.error;
  const route = errorAt('route');
  if (route?.kind === 'policy') return 'settings';
  const health = errorAt('health');
  if (health !== undefined && isBeforeTheService(health)) return causeOf(health);
  const fault = errorAt('token') ?? errorAt('models') ?? health ?? errorAt('clock');
  return fault === undefined ? 'none' : causeOf(fault);
}

function isBeforeTheService({ kind, status }: StepError): boolean {
  return status === undefined || kind === 'proxy' || kind === 'protocol';
}

function causeOf(error: StepError): Cause {
  const { kind, code = '', status } = error;
  if (kind === 'clock') return 'clock';
  if (isKindFrom(kind, 'machine') || isKindFrom(kind, 'user')) return 'unknown';
  switch (kind) {
    case 'network':
      if (/^(ENOTFOUND|ENODATA|EAI_)/.test(code)) return 'unknown-host';
      if (code === 'ECONNREFUSED') return 'refused';
      return /TIMEDOUT|TIMEOUT/.test(code) ? 'timeout' : 'broken';
    case 'timeout':
      return 'timeout';
    case 'proxy':
      // A 407 that did not come from a configured proxy has no code.
      return status === 407 ? 'proxy-auth' : (causeOfCode(proxyCauses, code) ?? 'proxy-unreachable');
    case 'certificate':
      return causeOfCode(certificateCauses, code) ?? verdictCauses[certificateVerdict(code)];
    case 'auth':
      return causeOfCode(keyCauses, code) ?? 'key-refused';
    case 'permission':
      return code === 'page' ? 'wrong-address' : 'permission';
    case 'rateLimit':
      return 'rate-limit';
    case 'server':
      return 'service-error';
    case 'request':
      return status === 404 ? 'wrong-address' : 'not-accepted';
    case 'protocol':
      return 'wrong-address';
    case 'policy':
      return 'settings';
    case 'interrupted':
      return 'broken';
    case 'gate':
      return 'unknown';
  }
}

type CausesOf<K extends ServiceErrorKind> = Readonly<Record<ErrorCode<K>, Cause>>;

const proxyCauses: CausesOf<'proxy'> = {
  'proxy-auth': 'proxy-auth',
  'proxy-refused': 'proxy-refused',
  'proxy-scheme': 'proxy-setting',
  'proxy-url': 'proxy-setting',
};

const certificateCauses: CausesOf<'certificate'> = {
  'tls-check-off': 'tls-check-off',
  'ca-file': 'certificate-file',
  'client-certificate': 'certificate-file',
  'client-key': 'certificate-file',
  'key-mismatch': 'certificate-file',
};

const keyCauses: CausesOf<'auth'> = {
  'no-key': 'key-missing',
  helper: 'key-missing',
  'helper-refused': 'key-refused',
  'malformed-key': 'key-refused',
  page: 'wrong-address',
};

/** Returns the cause of one of our own codes, or undefined for any other code. */
function causeOfCode(causes: Readonly<Record<string, Cause>>, code: string): Cause | undefined {
  return Object.hasOwn(causes, code) ? causes[code] : undefined;
}

const verdictCauses: Readonly<Record<CertificateVerdict, Cause>> = {
  expired: 'certificate-expired',
  'not-yet-valid': 'certificate-not-yet-valid',
  client: 'client-certificate',
  name: 'certificate-name',
  authority: 'certificate-authority',
  other: 'certificate-other',
};
