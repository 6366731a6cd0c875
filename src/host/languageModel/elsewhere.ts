/** A setting of VS Code under which something its chat does may go to another model than the one that is picked. */
export interface OtherModel {
  readonly setting: string;
  readonly what: 'utility' | 'small' | 'fallback' | 'risk' | 'plan' | 'inline';
  /** It takes a model of ours. */
  readonly canBeOurs: boolean;
}

/**
 * Found in VS Code 1.139; 1.110 has the last three alone, and asks the picked model for nothing on the side that a
 * setting names. What a version does not have is not mentioned.
 */
const known: readonly OtherModel[] = [
  { setting: 'chat.utilityModel', what: 'utility', canBeOurs: true },
  { setting: 'chat.utilitySmallModel', what: 'small', canBeOurs: true },
  { setting: 'chat.byokUtilityModelDefault', what: 'fallback', canBeOurs: false },
  { setting: 'chat.tools.riskAssessment.model', what: 'risk', canBeOurs: false },
  { setting: 'chat.planAgent.defaultModel', what: 'plan', canBeOurs: false },
  { setting: 'chat.exploreAgent.defaultModel', what: 'plan', canBeOurs: false },
  { setting: 'inlineChat.defaultModel', what: 'inline', canBeOurs: false },
];

/** Those that lead elsewhere as the settings are now. `read` says undefined where a setting does not exist. */
export function elsewhere(read: (setting: string) => unknown): readonly OtherModel[] {
  const isOurs = (value: unknown): boolean => /^svc\/|\(svc\)$/i.test(String(value));
  const utilities = ['chat.utilityModel', 'chat.utilitySmallModel'].map(read);
  return known.filter(({ setting }) => {
    const value = read(setting);
    if (value === undefined || isOurs(value)) return false;
    if (setting !== 'chat.byokUtilityModelDefault') return true;
    // It counts only where one of the two is empty.
    return value === 'copilot' && !utilities.every(isOurs);
  });
}
