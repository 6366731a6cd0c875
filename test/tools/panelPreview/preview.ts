import type { ViewStrings } from '../../../src/protocol/viewStrings.ts';
import { hostModule } from '../hostModule.ts';
import type { Preview } from '../previewServer.ts';
import { wrapped } from '../pseudo.ts';
import { previewPage, themeCss } from './page.ts';
import { previewKept, previewStates } from './states.ts';
import { themes } from './themes.ts';

/** The panel in all its states, with the texts of the host. */
export const panelPreview: Preview = {
  name: 'panel-preview',
  states: Object.keys(previewStates(0)),
  themes: Object.keys(themes),
  async page(name, theme, language, now) {
    const { viewStrings } = await hostModule<{ viewStrings(): ViewStrings }>(
      'src/features/chat/vscode/strings.ts',
      language,
    );
    const state = previewStates(now)[name];
    if (state === undefined) throw new Error(`There is no state ${name}.`);
    const shown = { state: language === 'pseudo' ? wrapped(state) : state, kept: previewKept[name] ?? null };
    return previewPage(shown, viewStrings(), theme, language);
  },
  css: (theme) => themeCss(themes[theme] ?? {}),
};
