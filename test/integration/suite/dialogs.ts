import * as vscode from 'vscode';

/** A modal prompt that the user had to answer. */
export interface AskedInModal {
  readonly message: string;
  /** The text below the message; empty if there is none. */
  readonly detail: string;
  readonly buttons: readonly string[];
}

/**
 * Answers modal prompts like a user who presses this button, or Escape without one, and returns the prompts. VS Code
 * refuses to show them to a test.
 */
export async function answering(
  button: string | undefined,
  work: () => PromiseLike<unknown>,
): Promise<readonly AskedInModal[]> {
  const asked: AskedInModal[] = [];
  const answer = async (message: string, ...rest: readonly unknown[]): Promise<string | undefined> => {
    const [options] = rest;
    if (typeof options !== 'object' || options === null || !('modal' in options)) return undefined;
    const detail = 'detail' in options ? String(options.detail) : '';
    const buttons = rest.filter((each) => typeof each === 'string');
    asked.push({ message, detail, buttons });
    return buttons.find((each) => each === button);
  };
  await replacing('showWarningMessage', answer, work);
  return asked;
}

/**
 * Hides the panel, which shows messages itself while it is visible. That it is hidden arrives some time after the
 * command: until then, the message of a failed command does not reach VS Code.
 */
export async function hidePanel(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
  let isOutside = false;
  const show = async (): Promise<void> => {
    isOutside = true;
  };
  const fail = (): Thenable<unknown> => vscode.commands.executeCommand('svc.reviewFile', { frameworks: 5 });
  while (!isOutside) await replacing('showErrorMessage', show, fail);
}

/** The error notifications that appear while `work` runs, with the panel hidden. Their buttons are not pressed. */
export async function errorsShown(
  work: () => PromiseLike<unknown>,
): Promise<readonly { readonly message: string; readonly buttons: readonly string[] }[]> {
  const shown: { readonly message: string; readonly buttons: readonly string[] }[] = [];
  const show = async (message: string, ...buttons: readonly string[]): Promise<undefined> => {
    shown.push({ message, buttons });
  };
  await hidePanel();
  await replacing('showErrorMessage', show, work);
  return shown;
}

/** The notifications of a kind without buttons that appear while `work` runs. */
export async function told(
  kind: 'Information' | 'Warning',
  work: () => PromiseLike<unknown>,
): Promise<readonly string[]> {
  const messages: string[] = [];
  await hidePanel();
  await replacing(`show${kind}Message`, async (message: string) => void messages.push(message), work);
  return messages;
}

/** Presses this button of each information message, or error, that has it, while `work` runs. */
export function pressing(
  button: string,
  work: () => PromiseLike<unknown>,
  kind: 'Information' | 'Error' = 'Information',
): Promise<void> {
  const show = async (_message: string, ...buttons: readonly unknown[]): Promise<unknown> =>
    buttons.find((each) => each === button);
  return replacing(`show${kind}Message`, show, work);
}

/** Chooses this file in each save dialog. */
export function savingAs(file: vscode.Uri, work: () => PromiseLike<unknown>): Promise<void> {
  return replacing('showSaveDialog', async () => file, work);
}

/** Cancels each progress message as soon as it is shown, while `work` runs. */
export async function stoppingEach(work: () => PromiseLike<unknown>): Promise<void> {
  const stop = async (_options: unknown, run: Parameters<typeof vscode.window.withProgress>[1]): Promise<unknown> => {
    const source = new vscode.CancellationTokenSource();
    source.cancel();
    return run({ report: () => undefined }, source.token);
  };
  await hidePanel();
  await replacing('withProgress', stop, work);
}

/** What each progress message says while `work` runs. `stop` cancels the one that is shown. */
export async function progressOf(work: (stop: () => void) => PromiseLike<unknown>): Promise<readonly string[]> {
  const said: string[] = [];
  let source = new vscode.CancellationTokenSource();
  const show = async (_options: unknown, run: Parameters<typeof vscode.window.withProgress>[1]): Promise<unknown> => {
    source = new vscode.CancellationTokenSource();
    return run({ report: ({ message }: { message?: string }) => void said.push(message ?? '') }, source.token);
  };
  await hidePanel();
  await replacing('withProgress', show, () => work(() => source.cancel()));
  return said;
}

/** Runs `meanwhile` while an input box is open, then enters a text. */
export function entering(
  text: string,
  meanwhile: () => Promise<unknown>,
  work: () => PromiseLike<unknown>,
): Promise<void> {
  const enter = async (): Promise<string> => {
    await meanwhile();
    return text;
  };
  return replacing('showInputBox', enter, work);
}

/** Presses Enter in each input box that `work` opens, as it opens. Returns their values and prompts at that time. */
export async function pressingEnter(
  work: () => PromiseLike<unknown>,
): Promise<readonly { readonly value: string; readonly prompt: string }[]> {
  const opened: { readonly value: string; readonly prompt: string }[] = [];
  const make = (): object => {
    const [accepted, hidden, typed] = [
      new vscode.EventEmitter<void>(),
      new vscode.EventEmitter<void>(),
      new vscode.EventEmitter<string>(),
    ];
    const box = {
      ...{ value: '', prompt: '', busy: false, enabled: true },
      validationMessage: undefined as unknown,
      onDidAccept: accepted.event,
      onDidHide: hidden.event,
      onDidChangeValue: typed.event,
      show: () => {
        opened.push({ value: box.value, prompt: box.prompt });
        accepted.fire();
      },
      dispose: () => hidden.fire(),
    };
    return box;
  };
  await replacing('createInputBox', make, work);
  return opened;
}

/** The final state of a status bar item. */
export interface ShownItem {
  readonly id: string;
  readonly text: string;
  readonly label: string;
  readonly command: unknown;
  readonly isShown: boolean;
}

/**
 * The status bar items that are created while `work` runs, in their final state; `work` gets a function for their present
 * one. VS Code does not expose them to tests.
 */
export async function statusItems(
  work: (now: () => readonly ShownItem[]) => PromiseLike<unknown>,
): Promise<readonly ShownItem[]> {
  const made: (vscode.StatusBarItem & { isShown?: boolean })[] = [];
  const make = (id: string): vscode.StatusBarItem => {
    const item: (typeof made)[number] = {
      ...{ id, alignment: vscode.StatusBarAlignment.Right, priority: undefined, name: undefined, text: '' },
      ...{ tooltip: undefined, color: undefined, backgroundColor: undefined, command: undefined },
      accessibilityInformation: undefined,
      show: () => {
        item.isShown = true;
      },
      hide: () => {
        item.isShown = false;
      },
      dispose: () => {
        item.isShown = false;
      },
    };
    made.push(item);
    return item;
  };
  const now = (): readonly ShownItem[] =>
    made.map(({ id, text, accessibilityInformation, command, isShown = false }) => ({
      ...{ id, text, label: accessibilityInformation?.label ?? '', command, isShown },
    }));
  await replacing('createStatusBarItem', make, () => work(now));
  return now();
}

/** An open list, as the user sees it. VS Code gives a test no access to a real one. */
export interface CheckList {
  readonly items: readonly vscode.QuickPickItem[];
  /** The labels of the checked items. */
  readonly checked: readonly string[];
  click(label: string): void;
  /** Replaces the text in its input box. */
  type(text: string): void;
  accept(): void;
  cancel(): void;
}

/** Runs `use` with the list that `work` opens, and waits for both. */
export async function withCheckList<T>(
  use: (list: CheckList) => unknown,
  work: () => PromiseLike<T>,
): Promise<{ readonly result: T; readonly used: unknown }> {
  const [changed, typed, accepted, hidden] = [
    new vscode.EventEmitter<readonly vscode.QuickPickItem[]>(),
    new vscode.EventEmitter<string>(),
    new vscode.EventEmitter<void>(),
    new vscode.EventEmitter<void>(),
  ];
  let isHidden = false;
  const hide = (): void => {
    if (isHidden) return;
    isHidden = true;
    hidden.fire();
  };
  let used: unknown;
  const make = (): object => {
    const pick = {
      value: '',
      items: [] as readonly vscode.QuickPickItem[],
      activeItems: [],
      selectedItems: [] as readonly vscode.QuickPickItem[],
      onDidChangeSelection: changed.event,
      onDidChangeValue: typed.event,
      onDidTriggerItemButton: () => new vscode.Disposable(() => {}),
      onDidAccept: accepted.event,
      onDidHide: hidden.event,
      show: () => {
        used = use(list);
        // A list that its test fails to use is closed: the stand-in would stay for the tests that follow.
        Promise.resolve(used).catch(hide);
      },
      hide,
      dispose: hide,
    };
    const list: CheckList = {
      get items() {
        return pick.items;
      },
      get checked() {
        return pick.selectedItems.map(({ label }) => label);
      },
      click: (label) => {
        const item = pick.items.find((one) => one.label === label);
        if (item === undefined) throw new Error(`There is no item ${label}.`);
        const others = pick.selectedItems.filter((one) => one !== item);
        pick.selectedItems = others.length < pick.selectedItems.length ? others : [...others, item];
        changed.fire(pick.selectedItems);
      },
      type: (text) => {
        pick.value = text;
        typed.fire(text);
      },
      accept: () => accepted.fire(),
      cancel: hide,
    };
    return pick;
  };
  let result: T | undefined;
  await replacing('createQuickPick', make, async () => {
    result = await work();
  });
  return { result: result as T, used: await used };
}

/** Lets `vscode.lm.tools` be the tools that `work` gives to `exist`, while `work` runs. */
export async function withTools(
  work: (exist: (tools: readonly vscode.LanguageModelToolInformation[]) => void) => PromiseLike<unknown>,
): Promise<void> {
  let now = vscode.lm.tools;
  await withProperty(
    ({ lm }) => lm,
    'tools',
    { configurable: true, get: () => now },
    () =>
      work((tools) => {
        now = tools;
      }),
  );
}

/** Runs `work` as in an untrusted workspace. */
export function inRestrictedMode(work: () => PromiseLike<unknown>): Promise<void> {
  return withProperty(({ workspace }) => workspace, 'isTrusted', { configurable: true, get: () => false }, work);
}

/** Replaces a function of `vscode.window` for the extension while `work` runs. */
function replacing(
  name: keyof typeof vscode.window,
  fake: (...args: never[]) => unknown,
  work: () => PromiseLike<unknown>,
): Promise<void> {
  return withProperty(({ window }) => window, name, { configurable: true, writable: true, value: fake }, work);
}

/** Replaces a property of a part of the API for the extension while `work` runs. */
export async function withProperty(
  part: (api: typeof vscode) => object,
  name: string,
  fake: PropertyDescriptor,
  work: () => PromiseLike<unknown>,
): Promise<void> {
  // In VS Code 1.110, ES modules have their own API object.
  const objects = [...new Set([part(vscode), part(await import('vscode'))])];
  const before = objects.map((object) => ({ object, real: Object.getOwnPropertyDescriptor(object, name) }));
  for (const { object } of before) Object.defineProperty(object, name, fake);
  try {
    await work();
  } finally {
    for (const { object, real } of before) if (real) Object.defineProperty(object, name, real);
  }
}
