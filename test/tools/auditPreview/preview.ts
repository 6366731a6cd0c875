import type { AuditStrings } from '../../../src/protocol/audit/auditMessages.ts';
import { hostModule } from '../hostModule.ts';
import type { Preview } from '../previewServer.ts';
import { wrapped } from '../pseudo.ts';
import { previewPage } from './page.ts';
import { previewStates } from './states.ts';
import { auditThemes, themeCss } from './themes.ts';

/** The page of the audit log in all its states, with the texts of the host. */
export const auditPreview: Preview = {
  name: 'audit-preview',
  states: Object.keys(previewStates),
  themes: Object.keys(auditThemes),
  async page(name, theme, language, now) {
    const { auditStrings } = await hostModule<{ auditStrings(): AuditStrings }>(
      'src/features/audit/vscode/strings.ts',
      language,
    );
    const state = previewStates[name]?.(now);
    const kind = auditThemes[theme]?.kind ?? '';
    if (state === undefined) throw new Error(`There is no state ${name}.`);
    return previewPage(language === 'pseudo' ? wrapped(state) : state, auditStrings(), theme, kind, language);
  },
  css: (theme) => themeCss(auditThemes[theme]?.theme ?? {}),
};
