/** A setting of VS Code that may send requests of its chat to a model other than the selected one. */
export interface OtherModel {
  readonly setting: string;
  readonly what: 'utility' | 'small' | 'fallback' | 'risk' | 'plan' | 'inline';
  /** It accepts one of our models. */
  readonly canBeOurs: boolean;
}

/** What replaces the two settings above it if they are empty and the selected model is not from Copilot. */
const fallback = 'chat.byokUtilityModelDefault';

/**
 * As of VS Code 1.139. Version 1.110 has only the last three, and sends the selected model none of the side requests
 * that a setting covers. Settings that a version does not have are not reported.
 */
const known: readonly OtherModel[] = [
  { setting: 'chat.utilityModel', what: 'utility', canBeOurs: true },
  { setting: 'chat.utilitySmallModel', what: 'small', canBeOurs: true },
  { setting: fallback, what: 'fallback', canBeOurs: false },
  { setting: 'chat.tools.riskAssessment.model', what: 'risk', canBeOurs: false },
  { setting: 'chat.planAgent.defaultModel', what: 'plan', canBeOurs: false },
  { setting: 'chat.exploreAgent.defaultModel', what: 'plan', canBeOurs: false },
  { setting: 'inlineChat.defaultModel', what: 'inline', canBeOurs: false },
];

/** The settings that currently bypass our models. `read` returns undefined for a setting that does not exist. */
export function settingsBypassingSvc(read: (setting: string) => unknown): readonly OtherModel[] {
  const isOurs = (value: unknown): boolean => /^svc\/|\(svc\)$/i.test(String(value));
  const utilities = known.filter(({ canBeOurs }) => canBeOurs).map(({ setting }) => read(setting));
  // If the setting is empty, `mainAgent` uses the selected model, and `none` uses no model.
  const isCopilot = (read(fallback) ?? 'copilot') === 'copilot';
  return known.filter(({ setting, canBeOurs }) => {
    const value = read(setting);
    if (value === undefined || isOurs(value)) return false;
    if (setting === fallback) return isCopilot && utilities.includes('');
    return !canBeOurs || value !== '' || isCopilot;
  });
}
