import { type Theme, themes } from '../panelPreview/themes.ts';

const charts = (
  foreground: string,
  red: string,
  blue: string,
  yellow: string,
  green: string,
  purple: string,
): Theme => ({
  'charts-foreground': foreground,
  'charts-red': red,
  'editorError-foreground': red,
  'charts-blue': blue,
  'charts-yellow': yellow,
  'charts-green': green,
  'charts-purple': purple,
});

const added: Readonly<Record<string, { readonly kind: string; readonly colors: Theme }>> = {
  dark: {
    kind: 'vscode-dark',
    colors: {
      ...charts('#cccccc', '#f14c4c', '#3794ff', '#cca700', '#89d185', '#b180d7'),
      'editor-background': '#1f1f1f',
      'panel-border': '#2b2b2b',
      'dropdown-background': '#313131',
      'dropdown-foreground': '#cccccc',
      'dropdown-border': '#3c3c3c',
      'testing-iconPassed': '#73c991',
    },
  },
  light: {
    kind: 'vscode-light',
    colors: {
      ...charts('#3b3b3b', '#e51400', '#1a85ff', '#bf8803', '#388a34', '#652d90'),
      'editor-background': '#ffffff',
      'panel-border': '#e5e5e5',
      'dropdown-background': '#ffffff',
      'dropdown-foreground': '#3b3b3b',
      'dropdown-border': '#cecece',
      'testing-iconPassed': '#73c991',
    },
  },
  hcDark: {
    kind: 'vscode-high-contrast',
    colors: {
      ...charts('#ffffff', '#f48771', '#3794ff', '#ffd370', '#89d185', '#b180d7'),
      'editor-background': '#000000',
      'panel-border': '#6fc3df',
      'dropdown-background': '#000000',
      'dropdown-foreground': '#ffffff',
      'dropdown-border': '#6fc3df',
      'testing-iconPassed': '#73c991',
      errorForeground: '#f48771',
    },
  },
  hcLight: {
    // VS Code gives its light high contrast theme the class of the dark one as well.
    kind: 'vscode-high-contrast-light vscode-high-contrast',
    colors: {
      ...charts('#292929', '#b5200d', '#0063d3', '#895503', '#374e06', '#652d90'),
      'editor-background': '#ffffff',
      'panel-border': '#0f4a85',
      'dropdown-background': '#ffffff',
      'dropdown-foreground': '#292929',
      'dropdown-border': '#0f4a85',
      'testing-iconPassed': '#007100',
      errorForeground: '#b5200d',
    },
  },
};

/** The themes of the panel's preview with the additional variables of an editor page, and VS Code's class for each. */
export const auditThemes: Readonly<Record<string, { readonly kind: string; readonly theme: Theme }>> =
  Object.fromEntries(
    Object.entries(added).map(([name, { kind, colors }]) => [name, { kind, theme: { ...themes[name], ...colors } }]),
  );

/** The styles of a webview as VS Code sets them: the variables, and the editor's background color. */
export function themeCss(theme: Theme): string {
  const variables = Object.entries(theme).map(([name, value]) => `  --vscode-${name}: ${value};`);
  return `:root {\n${variables.join('\n')}\n}\nbody { background: ${theme['editor-background'] ?? 'none'}; padding: 0 20px; }\n`;
}
