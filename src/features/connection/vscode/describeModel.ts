import * as vscode from 'vscode';

const t = vscode.l10n.t;

/** Returns the purpose of a model that the interface of the service documents, or undefined for any other model. */
export function modelUse(id: string): string | undefined {
  switch (id) {
    case 'svc/auto':
      return t('Default selection: the service selects a model');
    case 'svc/enterprise-coder-v1':
      return t('Code generation');
    case 'svc/secure-partner-3-5-sonnet':
      return t('Security-focused general model');
    case 'svc/compliance-assistant':
      return t('Compliance-oriented review (HIPAA, SOX, PCI DSS)');
    default:
      return undefined;
  }
}
