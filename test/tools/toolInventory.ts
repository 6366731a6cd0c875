interface ToolFacts {
  readonly title: string;
  /** Inputs that fit, and inputs that do not. */
  readonly fitting: readonly object[];
  readonly misfitting: readonly unknown[];
}

/** Our tools, in the order in which they are offered. A test compares this list with the tools. */
export const toolInventory: Readonly<Record<string, ToolFacts>> = {
  read_file: {
    title: 'Read files',
    fitting: [{ path: 'src/a.ts' }, { path: 'a', firstLine: 3, lastLine: 9 }],
    misfitting: [{}, { path: '' }, { path: 7 }, { path: 'a', firstLine: 0 }, { path: 'a', lastLine: 1.5 }, []],
  },
  list_files: {
    title: 'List files',
    fitting: [{}, { path: '' }, { path: 'src' }],
    misfitting: [{ path: null }, 'src'],
  },
  search_text: {
    title: 'Search text',
    fitting: [{ query: 'x' }, { query: 'x', files: '**/*.ts' }],
    misfitting: [{}, { query: '' }, { query: 'x'.repeat(501) }, { query: ['x'] }, { query: 'x', files: 3 }],
  },
  find_symbols: { title: 'Find symbols', fitting: [{ query: 'Pay' }], misfitting: [{}, { query: {} }] },
  get_problems: {
    title: 'Get problems',
    fitting: [{}, { path: 'src/a.ts' }],
    misfitting: [{ path: '' }, { path: ['a'] }],
  },
  git_diff: { title: 'Read Git changes', fitting: [{}, { staged: true }], misfitting: [{ staged: 'yes' }] },
};

export const toolNames: readonly string[] = Object.keys(toolInventory);
export const toolTitles: readonly string[] = Object.values(toolInventory).map(({ title }) => title);

export function toolNamesWithout(name: string): readonly string[] {
  return toolNames.filter((one) => one !== name);
}

export function toolTitlesWithout(name: string): readonly string[] {
  return toolNamesWithout(name).map((one) => toolInventory[one]?.title ?? '');
}
