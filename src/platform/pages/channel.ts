import * as z from 'zod/mini';
import type { CallTable, ReplyMessage } from '../../protocol/channel.ts';
import type { Logger } from '../../util/logger.ts';

type Params<Calls extends CallTable<Calls>, Name extends keyof Calls> = Parameters<Calls[Name]>[0];

/** The form of the parameters of each call; null for a call that takes none. */
export type CallShapes<Calls extends CallTable<Calls>> = {
  readonly [Name in keyof Calls]: Parameters<Calls[Name]> extends [] ? null : z.ZodMiniType<Params<Calls, Name>>;
};

/** The value of a reply. Nothing else that a handler returns is sent to the page. */
export class ReplyValue<Value> {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/** What each call does. It is answered when the returned promise settles. */
export type CallHandlers<Calls extends CallTable<Calls>> = {
  readonly [Name in keyof Calls]: (
    params: Params<Calls, Name>,
  ) => ReturnType<Calls[Name]> extends void ? unknown : Promise<ReplyValue<ReturnType<Calls[Name]>>>;
};

/** The part of a webview that the channel uses. */
interface PagePort {
  onDidReceiveMessage(listener: (message: unknown) => void): unknown;
  postMessage(message: unknown): PromiseLike<unknown>;
}

interface HostEnd<Calls extends CallTable<Calls>> {
  /** What logs call the page. */
  readonly name: string;
  readonly shapes: CallShapes<Calls>;
  readonly handlers: CallHandlers<Calls>;
  /** The localised words of an error that a handler threw; empty if nothing is shown. */
  readonly wordsFor: (error: unknown) => string;
  readonly logger: Pick<Logger, 'warn' | 'trace'>;
}

const callMessage = z.object({
  type: z.literal('call'),
  id: z.int(),
  method: z.string(),
  params: z.optional(z.unknown()),
});

/**
 * Opens the host's end of the channel to a page, and returns what sends it other messages. The page is not trusted:
 * nothing of a message reaches a handler or the log before its form is checked.
 */
export function openChannel<Calls extends CallTable<Calls>, Message>(
  port: PagePort,
  { name, shapes, handlers, wordsFor, logger }: HostEnd<Calls>,
): (message: Message) => void {
  const post = (message: Message | ReplyMessage): void => {
    // Not awaited: the order is kept, and waiting for each message takes long. A page that is gone needs none.
    port.postMessage(message).then(undefined, () => logger.trace(`The ${name} was gone before a message.`));
  };
  const isMethod = (method: string): method is keyof Calls & string => Object.hasOwn(shapes, method);
  const run = async (method: keyof Calls & string, given: unknown): Promise<unknown> => {
    const shape: z.ZodMiniType | null = shapes[method];
    const params = shape?.safeParse(given);
    if (params?.success === false) throw new Error('The parameters do not fit.');
    // Both tables have these keys, but TypeScript cannot relate the parsed value to this method.
    return (handlers[method] as (params: unknown) => unknown)(params?.data);
  };
  port.onDidReceiveMessage((message) => {
    const call = callMessage.safeParse(message);
    if (!call.success || !isMethod(call.data.method)) {
      logger.warn(`The ${name} sent a message that is none of the protocol.`);
      return;
    }
    const { id, method, params } = call.data;
    run(method, params).then(
      (done) => post({ type: 'reply', id, ...(done instanceof ReplyValue ? { value: done.value } : {}) }),
      (error: unknown) => {
        logger.warn(`The call ${method} of the ${name} failed.`);
        post({ type: 'reply', id, err: wordsFor(error) });
      },
    );
  });
  return post;
}
