import * as vscode from 'vscode';
import { asText } from '../../../platform/messages/asText.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { type ComplianceField, compliance } from '../../../policy/compliance/compliance.ts';
import type { ConstraintSources } from '../../../policy/compliance/complianceState.ts';
import { readValue, showValue } from '../../../policy/readValue.ts';
import type { Layer, LayerName } from '../../../policy/requestPolicy.ts';
import type { NextRequest } from '../../context/vscode/nextRequest.ts';
import { type RowText, valueWords } from './describeCompliance.ts';

const t = vscode.l10n.t;

/** A scope in which the value of a setting can be written. */
export interface Scope {
  readonly target: vscode.ConfigurationTarget;
  readonly folder?: vscode.WorkspaceFolder;
  /** The layers that set the constraints of a request to which this scope applies, and the layer of this scope. */
  readonly sources: ConstraintSources;
  readonly at: Layer;
}

/** Returns the scopes of the window, outermost first. */
export function scopesOf(
  field: ComplianceField,
  services: { readonly contextReader: RequestContextReader; readonly next: NextRequest },
): readonly Scope[] {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const scope = (layer: LayerName, target: vscode.ConfigurationTarget, folder?: vscode.WorkspaceFolder): Scope => {
    const uri = folder?.uri.toString();
    const folders = [...services.next.about.folders, ...(uri === undefined ? [] : [uri])];
    const sources = services.contextReader.constraintSources(folders);
    const at = sources.layers.find((one) => one.layer === layer && one.folder === uri);
    if (at === undefined) throw new Error(`No layer for ${layer} settings.`);
    return { target, sources, at, ...(folder === undefined ? {} : { folder }) };
  };
  const remote = scope('remote', vscode.ConfigurationTarget.Global);
  // If the remote machine's settings already have a value, VS Code writes the new one there, not to the user's settings.
  const isRemote = remote.at.values[compliance[field].setting] !== undefined;
  const hasWorkspace = workspaceFile !== undefined || workspaceFolders.length > 0;
  return [
    isRemote ? remote : scope('user', vscode.ConfigurationTarget.Global),
    ...(hasWorkspace ? [scope('workspace', vscode.ConfigurationTarget.Workspace)] : []),
    ...(workspaceFile === undefined
      ? []
      : workspaceFolders.map((folder) => scope('folder', vscode.ConfigurationTarget.WorkspaceFolder, folder))),
  ];
}

/** Returns the list entry of a scope: its value, and the windows or requests that it applies to. */
export function describeScope(field: ComplianceField, { at, folder }: Scope): RowText {
  const raw = at.values[compliance[field].setting];
  const read = readValue(compliance[field].setting, raw);
  const value = read.is === 'invalid' ? showValue(raw) : valueWords(String(read.is === 'value' ? read.value : ''));
  return { ...scopeWords(at.layer, folder), description: asText(value) };
}

function scopeWords(layer: LayerName, folder: vscode.WorkspaceFolder | undefined): Omit<RowText, 'description'> {
  const { workspaceFile } = vscode.workspace;
  switch (layer) {
    case 'folder':
      return {
        label: asText(t('Folder {0}', folder?.name ?? '')),
        detail: t('Requests with content of this folder, for everyone who opens it'),
      };
    case 'workspace':
      return workspaceFile === undefined
        ? { label: t('Workspace'), detail: t('Everyone who opens this folder: the value is in .vscode/settings.json') }
        : { label: t('Workspace'), detail: t('Everyone who opens this workspace: the value is in the workspace file') };
    case 'remote':
      return { label: t('Remote machine'), detail: t('All windows that work on this machine') };
    default:
      return { label: t('User'), detail: t('All your windows') };
  }
}
