import * as z from 'zod/mini';
import type { CallTable, ReplyMessage } from '../../protocol/channel.ts';
import type { Logger } from '../../util/logger.ts';

type Params<Calls extends CallTable<Calls>, Name extends keyof Calls> = Parameters<Calls[Name]>[0];

/** The schema of the parameters of each call; null for a call without parameters. */
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

/** The function for each call. The call is answered when the returned promise settles. */
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
  /** The name of the page in logs. */
  readonly name: string;
  readonly shapes: CallShapes<Calls>;
  readonly handlers: CallHandlers<Calls>;
  /** Returns the localized message for an error that a handler threw, or an empty string if nothing is shown. */
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
 * Opens the host's end of the channel to a page, and returns a function that sends other messages to the page. The page is
 * not trusted: nothing in a message reaches a handler or the log before it is validated.
 */
export function openChannel<Calls extends CallTable<Calls>, Message>(
  port: PagePort,
  { name, shapes, handlers, wordsFor, logger }: HostEnd<Calls>,
): (message: Message) => void {
  const post = (message: Message | ReplyMessage): void => {
    // This is not awaited: the order is kept anyway, and waiting for each message would take long. A closed page needs no
    // message.
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
