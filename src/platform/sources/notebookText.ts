/** A cell of a notebook, and the output of its last run. */
export interface NotebookCell {
  /** The language of the code, or `markdown`. */
  readonly language: string;
  readonly text: string;
  readonly outputs: readonly CellOutput[];
}

/** One output in each of its MIME types; the value is null for what is not text or cannot be shown, which is only named. */
export interface CellOutput {
  readonly forms: ReadonlyMap<string, string | null>;
}

/** The MIME types of an output that are sent as text, in the order of preference. */
const textForms = [
  ...['text/plain', 'text/markdown', 'text/latex', 'application/json', 'text/html'],
  ...['application/vnd.code.notebook.stdout', 'application/vnd.code.notebook.stderr'],
  'application/vnd.code.notebook.error',
];

/** Terminal escape sequences for colors and cursor movements. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with ESC.
const escapes = /\u001b\[[0-9;?]{0,32}[A-Za-z]/g;

/** Returns the cells of a notebook and the text of their outputs, for a model. Images and other data are only named. */
export function textOfCells(cells: readonly NotebookCell[]): string {
  return cells.flatMap((cell, index) => textOfCell(cell, index + 1)).join('\n\n');
}

function textOfCell({ language, text, outputs }: NotebookCell, number: number): readonly string[] {
  const printed = outputs.map(textOfOutput).filter((one) => one !== '');
  return [
    `[cell ${number}, ${language}]\n${text}`,
    ...(printed.length === 0 ? [] : [`[output of cell ${number}]\n${printed.join('\n')}`]),
  ];
}

function textOfOutput({ forms }: CellOutput): string {
  const shown = textForms.find((form) => typeof forms.get(form) === 'string');
  const text = (shown === undefined ? '' : (forms.get(shown) ?? '')).replaceAll(escapes, '');
  const otherForms = [...forms.keys()].filter((form) => !textForms.includes(form) || forms.get(form) === null);
  return [text, ...otherForms.map((form) => `[left out: ${form.replaceAll(/[^\w.+/-]/g, '').slice(0, 100)}]`)]
    .filter((part) => part !== '')
    .join('\n');
}

/** Reads the file of a Jupyter notebook (format 3 or 4). Returns null for any other text. */
export function readNotebook(file: string): readonly NotebookCell[] | null {
  const notebook = parsed(file);
  const cells = listOf(notebook.cells ?? recordOf(listOf(notebook.worksheets)[0]).cells);
  if (typeof notebook.nbformat !== 'number') return null;
  const { language_info: info, kernelspec } = recordOf(notebook.metadata);
  const language = [recordOf(info).name, recordOf(kernelspec).language, 'code'].find((one) => typeof one === 'string');
  return cells.map(recordOf).map((cell) => ({
    language: cell.cell_type === 'code' ? String(language) : wordOf(cell.cell_type),
    text: joinedText(cell.source ?? cell.input) ?? '',
    outputs: listOf(cell.outputs).map((output) => ({ forms: formsOf(recordOf(output)) })),
  }));
}

function formsOf(output: Fields): ReadonlyMap<string, string | null> {
  const { output_type: type, text, data, traceback, ename, evalue } = output;
  if (type === 'error' || type === 'pyerr') {
    const lines = listOf(traceback).map(wordOf).join('\n');
    return new Map([['text/plain', lines === '' ? `${wordOf(ename)}: ${wordOf(evalue)}` : lines]]);
  }
  if (data === undefined) return new Map([['text/plain', joinedText(text) ?? '']]);
  return new Map(Object.entries(recordOf(data)).map(([form, value]) => [form, formText(form, value)]));
}

function formText(form: string, value: unknown): string | null {
  if (!textForms.includes(form)) return null;
  const text = joinedText(value);
  if (text !== null) return text;
  // Indentation grows with the square of the depth, so only shallow values have it.
  if (!isDeeper(value, maxIndented)) return JSON.stringify(value, null, 1) ?? '';
  return isDeeper(value, maxDepth) ? null : JSON.stringify(value);
}

/** The maximum number of levels of a value that is shown with indentation. */
const maxIndented = 10;
/** The maximum number of levels of a value that is shown: JSON.stringify() fails for very deep ones, and takes long before that. */
const maxDepth = 100;

/** Whether a value has more levels of arrays and objects. It looks no deeper, so it needs little of the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inner.some((one) => isDeeper(one, levels - 1));
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns a text, which is stored as one string or as an array of lines with their line breaks, or null for any other value. */
function joinedText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((line) => typeof line === 'string') ? value.join('') : null;
}

/** Returns the text of a word or a number; none for lists and records: String() fails for very deep ones. */
function wordOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? '' : String(value);
}

function parsed(file: string): Fields {
  try {
    return recordOf(JSON.parse(file));
  } catch {
    return {};
  }
}

function recordOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
