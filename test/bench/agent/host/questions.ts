import { withProperty } from '../../../integration/suite/dialogs.ts';

/** Presses the first button of each question, as a user who agrees to everything. Returns the questions. */
export async function pressingFirst(work: () => PromiseLike<unknown>): Promise<readonly string[]> {
  const asked: string[] = [];
  const value = async (message: string, ...rest: readonly unknown[]): Promise<unknown> => {
    const isModal = rest.some((one) => typeof one === 'object' && one !== null && 'modal' in one);
    if (!isModal) return undefined;
    asked.push(message);
    return rest.find((one) => typeof one === 'string');
  };
  const fake = { configurable: true, writable: true, value };
  await withProperty(({ window }) => window, 'showWarningMessage', fake, work);
  return asked;
}
