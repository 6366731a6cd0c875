/** A setting of VS Code under which something its chat does may go to another model than the one that is picked. */
export interface OtherModel {
  readonly setting: string;
  readonly what: 'utility' | 'small' | 'fallback' | 'risk' | 'plan' | 'inline';
  /** It takes a model of ours. */
  readonly canBeOurs: boolean;
}

/** What becomes of the two settings above it where they are empty and the picked model is not Copilot's. */
const fallback = 'chat.byokUtilityModelDefault';

/**
 * Found in VS Code 1.139; 1.110 has the last three alone, and asks the picked model for nothing on the side that a
 * setting names. What a version does not have is not mentioned.
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

/** Those that lead elsewhere as the settings are now. `read` says undefined where a setting does not exist. */
export function settingsBypassingSvc(read: (setting: string) => unknown): readonly OtherModel[] {
  const isOurs = (value: unknown): boolean => /^svc\/|\(svc\)$/i.test(String(value));
  const utilities = known.filter(({ canBeOurs }) => canBeOurs).map(({ setting }) => read(setting));
  // `mainAgent` asks the picked model instead of an empty setting's, `none` nobody.
  const isCopilot = (read(fallback) ?? 'copilot') === 'copilot';
  return known.filter(({ setting, canBeOurs }) => {
    const value = read(setting);
    if (value === undefined || isOurs(value)) return false;
    if (setting === fallback) return isCopilot && utilities.includes('');
    return !canBeOurs || value !== '' || isCopilot;
  });
}
