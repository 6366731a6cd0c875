import { joinOf } from '../../gate/content.ts';
import { examineJson } from '../../gate/secrets/examineJson.ts';
import { examineText } from '../../gate/secrets/examineText.ts';
import type { SecretScanner } from '../../gate/secrets/secretScanner.ts';
import { type Attachment, mayBeFragment } from '../../send/message/attachment.ts';
import type { ToolStep } from '../tools/toolStep.ts';
import type { Conversation, Turn } from './conversation.ts';

/**
 * The conversation with its secrets masked, also those that the user has sent: for an export, which others may read.
 * Masked before it is written in any format, whose escapes would break a secret in two. Throws a ServiceError if masking
 * does not terminate.
 */
export async function maskedConversation(conversation: Conversation, scanner: SecretScanner): Promise<Conversation> {
  const { title, turns, hidden } = conversation;
  const masked = new Masked(scanner);
  return {
    ...conversation,
    ...(title === undefined ? {} : { title: await masked.text(title) }),
    turns: await each(turns, (turn) => masked.turn(turn)),
    ...(hidden === undefined ? {} : { hidden: await each(hidden, (turn) => masked.turn(turn)) }),
  };
}

class Masked {
  readonly #scanner: SecretScanner;

  constructor(scanner: SecretScanner) {
    this.#scanner = scanner;
  }

  async text(text: string): Promise<string> {
    return (await examineText(text, { where: null }, this.#scanner)).masked;
  }

  async turn<T extends Turn>(turn: T): Promise<T> {
    const { command, receipt, steps, summary } = turn;
    return {
      ...turn,
      prompt: await this.text(turn.prompt),
      ...(command === undefined ? {} : { command: { ...command, text: await this.text(command.text) } }),
      attachments: await each(turn.attachments, (one) => this.#attachment(one)),
      ...(await this.#answer(turn)),
      ...(receipt === undefined ? {} : { receipt: { ...receipt, text: await this.text(receipt.text) } }),
      ...(steps === undefined ? {} : { steps: await this.#steps(turn, steps) }),
      ...(summary === undefined ? {} : { summary: { ...summary, text: await this.text(summary.text) } }),
    };
  }

  /** Piece by piece, as the calls divide it: their places in it change with it. */
  async #answer({ answer, steps = [] }: Turn): Promise<Pick<Turn, 'answer'>> {
    return { answer: (await each(piecesOf(answer, steps), (piece) => this.text(piece))).join('') };
  }

  async #steps({ answer }: Turn, steps: readonly ToolStep[]): Promise<readonly ToolStep[]> {
    const pieces = await each(piecesOf(answer, steps), (piece) => this.text(piece));
    let at = 0;
    const masked: ToolStep[] = [];
    for (const [index, step] of steps.entries()) {
      at += pieces[index]?.length ?? 0;
      const { masked: input } = await examineJson(step.input, step.name, this.#scanner);
      const { output } = step;
      const attachments = await each(output?.attachments ?? [], (one) => this.#attachment(one));
      masked.push({ ...step, at, input, ...(output === undefined ? {} : { output: { ...output, attachments } }) });
    }
    return masked;
  }

  async #attachment(attachment: Attachment): Promise<Attachment> {
    const { label, text, marks } = attachment;
    const place = { where: null, marks, isFragment: mayBeFragment(attachment) };
    const { masked } = await examineText(text, place, this.#scanner);
    return { ...attachment, label: await this.text(label), text: joinOf([masked]).text };
  }
}

/** What of an answer is before each call, and the rest. */
function piecesOf(answer: string, steps: readonly ToolStep[]): readonly string[] {
  let from = 0;
  const pieces = steps.map(({ at }) => {
    const to = Math.max(from, at);
    const piece = answer.slice(from, to);
    from = to;
    return piece;
  });
  return [...pieces, answer.slice(from)];
}

/** One after another, so that other work gets its turn in between. */
async function each<T>(all: readonly T[], change: (one: T) => Promise<T>): Promise<readonly T[]> {
  const changed: T[] = [];
  for (const one of all) changed.push(await change(one));
  return changed;
}
