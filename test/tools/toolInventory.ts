interface ToolFacts {
  readonly title: string;
  /** Inputs that fit, and inputs that do not. */
  readonly fitting: readonly object[];
  readonly misfitting: readonly unknown[];
  /** Offered only if the user has switched on that changes are proposed. */
  readonly proposes?: true;
  /** Offered only if the user has switched on that tasks are run. */
  readonly runs?: true;
}

/** Our tools, in the order in which they are offered. A test compares this list with the tools. */
export const toolInventory: Readonly<Record<string, ToolFacts>> = {
  read_file: {
    title: 'Read files',
    fitting: [
      { path: 'src/a.ts' },
      { path: 'a', firstLine: 3, lastLine: 9 },
      { path: 'a', firstLine: '3', lastLine: null },
    ],
    misfitting: [
      {},
      { path: '' },
      { path: 7 },
      { path: 'a', firstLine: 0 },
      { path: 'a', lastLine: 1.5 },
      { path: 'a', lastLine: '1.5' },
      [],
    ],
  },
  list_files: {
    title: 'List files',
    fitting: [{}, { path: '' }, { path: 'src' }, { path: null }],
    misfitting: [{ path: 7 }, 'src'],
  },
  search_text: {
    title: 'Search text',
    fitting: [{ query: 'x' }, { query: 'x', files: '**/*.ts' }],
    misfitting: [
      {},
      { query: null },
      { query: '' },
      { query: 'x'.repeat(501) },
      { query: ['x'] },
      { query: 'x', files: 3 },
    ],
  },
  find_symbols: { title: 'Find symbols', fitting: [{ query: 'Pay' }], misfitting: [{}, { query: {} }] },
  get_problems: {
    title: 'Get problems',
    fitting: [{}, { path: 'src/a.ts' }],
    misfitting: [{ path: '' }, { path: ['a'] }],
  },
  git_diff: {
    title: 'Read Git changes',
    fitting: [{}, { staged: true }, { staged: 'false' }],
    misfitting: [{ staged: 'yes' }],
  },
  edit_file: {
    title: 'Propose edits',
    fitting: [
      { path: 'a', oldString: 'x', newString: '' },
      { file_path: 'a', old_string: 'x', new_str: 'y', replace_all: true },
    ],
    misfitting: [
      { path: 'a', newString: 'y' },
      { path: 'a', oldString: 1, newString: 'y' },
      { path: '', oldString: 'x', newString: 'y' },
    ],
    proposes: true,
  },
  write_file: {
    title: 'Propose files',
    fitting: [
      { path: 'a', content: '' },
      { filePath: 'a', content: 'x' },
    ],
    misfitting: [{ path: 'a' }, { content: 'x' }, { path: 'a', content: 'x'.repeat(512 * 1024 + 1) }],
    proposes: true,
  },
  delete_file: { title: 'Propose deletions', fitting: [{ path: 'a' }], misfitting: [{}, { path: 1 }], proposes: true },
  rename_file: {
    title: 'Propose new names',
    fitting: [{ from: 'a', to: 'b' }],
    misfitting: [{ from: 'a' }, { from: 'a', to: '' }],
    proposes: true,
  },
  run_task: {
    title: 'Run tasks',
    fitting: [{ name: 'test' }],
    misfitting: [{}, { name: '' }, { name: 'x'.repeat(501) }, { name: ['test'] }],
    runs: true,
  },
};

const reading = Object.entries(toolInventory).filter(([, { proposes, runs }]) => proposes !== true && runs !== true);

/** The tools that are offered if no changes are proposed and no tasks are run. */
export const toolNames: readonly string[] = reading.map(([name]) => name);
export const toolTitles: readonly string[] = reading.map(([, { title }]) => title);

export function toolNamesWithout(name: string): readonly string[] {
  return toolNames.filter((one) => one !== name);
}

export function toolTitlesWithout(name: string): readonly string[] {
  return toolNamesWithout(name).map((one) => toolInventory[one]?.title ?? '');
}
