/** A setting of VS Code that may send requests of its chat to a model other than the selected one. */
export interface OtherModel {
  readonly setting: string;
  readonly what: 'utility' | 'small' | 'fallback' | 'risk' | 'plan' | 'inline';
  /** Whether the setting accepts one of our models. */
  readonly canBeOurs: boolean;
}

/** The setting that replaces the first two settings below if they are empty and the selected model is not from Copilot. */
const fallback = 'chat.byokUtilityModelDefault';

/**
 * The settings as of VS Code 1.139. Version 1.110 has only the last three settings, and does not send side requests that a
 * setting covers to the selected model. Settings that a version does not have are not reported.
 */
const candidates: readonly OtherModel[] = [
  { setting: 'chat.utilityModel', what: 'utility', canBeOurs: true },
  { setting: 'chat.utilitySmallModel', what: 'small', canBeOurs: true },
  { setting: fallback, what: 'fallback', canBeOurs: false },
  { setting: 'chat.tools.riskAssessment.model', what: 'risk', canBeOurs: false },
  { setting: 'chat.planAgent.defaultModel', what: 'plan', canBeOurs: false },
  { setting: 'chat.exploreAgent.defaultModel', what: 'plan', canBeOurs: false },
  { setting: 'inlineChat.defaultModel', what: 'inline', canBeOurs: false },
];

/** Returns the settings that currently bypass our models. `read` returns undefined for a setting that does not exist. */
export function settingsBypassingSvc(read: (setting: string) => unknown): readonly OtherModel[] {
  const isOurs = (value: unknown): boolean => /^svc\/|\(svc\)$/i.test(String(value));
  const utilities = candidates.filter(({ canBeOurs }) => canBeOurs).map(({ setting }) => read(setting));
  // If the setting is empty, `mainAgent` uses the selected model, and `none` uses no model.
  const isCopilot = (read(fallback) ?? 'copilot') === 'copilot';
  return candidates.filter(({ setting, canBeOurs }) => {
    const value = read(setting);
    if (value === undefined || isOurs(value)) return false;
    if (setting === fallback) return isCopilot && utilities.includes('');
    return !canBeOurs || value !== '' || isCopilot;
  });
}
