import * as vscode from 'vscode';
import { optionalUri } from '../../../platform/commands/namedFile.ts';
import { type UriArgument, wrongArgument } from '../../../platform/commands/wrongArgument.ts';
import { describeAllowed } from '../../../platform/messages/describeAllowed.ts';
import { type Failure, notAsked } from '../../../platform/messages/withErrorReporting.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { writeSetting } from '../../../platform/settings/writeSetting.ts';
import { allowedIn } from '../../../policy/allowed.ts';
import {
  type ComplianceField,
  type ComplianceKey,
  compliance,
  complianceFields,
} from '../../../policy/compliance/compliance.ts';
import { complianceState, effectOf } from '../../../policy/compliance/complianceState.ts';
import { PolicyError } from '../../../policy/policyError.ts';
import { readValue } from '../../../policy/readValue.ts';
import type { Posture } from '../../../protocol/posture.ts';
import type { NextRequest } from '../../context/vscode/nextRequest.ts';
import { askField, askScope, askValue } from './askChange.ts';
import { type Scope, scopesOf } from './complianceScopes.ts';

const t = vscode.l10n.t;

interface ChangeServices {
  readonly contextReader: RequestContextReader;
  readonly next: NextRequest;
  readonly context: vscode.ExtensionContext;
}

/** The choices that the caller has made; the user is asked for the rest. */
interface Change {
  readonly setting?: ComplianceKey | undefined;
  /** The value to write; null removes the value. */
  readonly value?: unknown;
  readonly scope?: 'user' | 'workspace' | 'folder' | undefined;
  /** The URI of the workspace folder whose settings change. */
  readonly folder?: UriArgument | undefined;
}

interface Decision {
  readonly scope: Scope;
  /** The value to write; undefined removes the value. */
  readonly value: unknown;
}

/** Writes one compliance setting, and returns the posture that the next request then has. */
export async function changeComplianceSetting(
  services: ChangeServices,
  change: Change = {},
): Promise<{ readonly ok: true; readonly posture: Posture } | Failure> {
  const { contextReader, next } = services;
  const sources = contextReader.constraintSources(next.about.folders);
  const field =
    change.setting === undefined
      ? await askField(complianceFields.map((one) => complianceState(one, sources)))
      : complianceFields.find((one) => compliance[one].setting === change.setting);
  const decided = field === undefined ? undefined : await decide(services, field, change);
  if (field === undefined || decided === undefined) return notAsked();
  const { scope, value } = decided;
  const { forbidden, state } = effectOf(field, scope.sources, scope.at, value);
  if (forbidden !== null) throw new PolicyError(state.problems);
  await writeSetting(compliance[field].setting, value, scope.target, scope.folder);
  return { ok: true, posture: contextReader.read(next.about).posture };
}

async function decide(services: ChangeServices, field: ComplianceField, change: Change): Promise<Decision | undefined> {
  const scopes = scopesFor(scopesOf(field, services), change);
  const given = change.value === undefined ? undefined : { value: validated(field, change.value) };
  for (;;) {
    const scope = scopes.length === 1 ? scopes[0] : await askScope(field, scopes);
    if (scope === undefined) return undefined;
    const answer = given ?? (await askValue(field, scope, services.context, scopes.length > 1));
    if (answer === 'back') continue;
    return answer === undefined ? undefined : { scope, value: answer.value };
  }
}

/** Returns the scopes that match the caller's choice. Throws a ServiceError (`request`) if the window has none of them. */
function scopesFor(scopes: readonly Scope[], { scope, folder }: Change): readonly Scope[] {
  const uri = optionalUri(folder)?.toString();
  const found = scopes.filter(
    (one) => (scope === undefined || scope === nameOf(one)) && (uri === undefined || uri === one.at.folder),
  );
  if (found.length > 0) return found;
  const names = [...new Set(scopes.map(nameOf))];
  throw wrongArgument(t('argument {0} must be one of {1}', '1.scope', names.join(', ')));
}

function nameOf({ at: { layer } }: Scope): string {
  return layer === 'remote' ? 'user' : layer;
}

/** Returns the value to write. Throws a ServiceError (`request`) for a value that the setting cannot have. */
function validated(field: ComplianceField, value: unknown): unknown {
  const key = compliance[field].setting;
  const read = readValue(key, value);
  if (read.is === 'value') return read.value;
  if (read.is === 'unset' || value === null) return undefined;
  throw wrongArgument(t('argument {0} must be one of {1}', '1.value', describeAllowed(allowedIn(key))));
}
