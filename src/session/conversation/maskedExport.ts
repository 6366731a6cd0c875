import { joinOf } from '../../gate/content.ts';
import { examineJson } from '../../gate/secrets/examineJson.ts';
import { examineText } from '../../gate/secrets/examineText.ts';
import type { SecretScanner } from '../../gate/secrets/secretScanner.ts';
import { type Attachment, mayBeFragment } from '../../send/message/attachment.ts';
import type { ToolStep } from '../tools/toolStep.ts';
import type { Conversation } from './conversation.ts';
import type { Turn, TurnAnswer, TurnQuestion } from './turn.ts';

/**
 * The conversation with its secrets masked, also those that the user has sent: for an export, which others may read.
 * Secrets are masked before a format is written, whose escapes would break a secret in two. Throws a ServiceError if masking
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

  async turn(turn: Turn): Promise<Turn> {
    const { summary } = turn;
    return {
      ...turn,
      question: await this.#question(turn.question),
      answer: await this.#answer(turn.answer),
      ...(summary === undefined ? {} : { summary: { ...summary, text: await this.text(summary.text) } }),
    };
  }

  async #question(question: TurnQuestion): Promise<TurnQuestion> {
    const { prompt, command, attachments } = question;
    return {
      ...question,
      prompt: await this.text(prompt),
      ...(command === undefined ? {} : { command: { ...command, text: await this.text(command.text) } }),
      attachments: await each(attachments, (one) => this.#attachment(one)),
    };
  }

  /** Masks an answer piece by piece, because its calls divide it: their positions change with the text. */
  async #answer(answer: TurnAnswer): Promise<TurnAnswer> {
    const { receipt } = answer;
    const pieces = await each(piecesOf(answer), (piece) => this.text(piece));
    return {
      ...answer,
      text: pieces.join(''),
      steps: await this.#steps(answer.steps, pieces),
      ...(receipt === undefined ? {} : { receipt: { ...receipt, text: await this.text(receipt.text) } }),
    };
  }

  async #steps(steps: readonly ToolStep[], pieces: readonly string[]): Promise<readonly ToolStep[]> {
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

/** The parts of an answer before each call, and the rest. */
function piecesOf({ text, steps }: TurnAnswer): readonly string[] {
  let from = 0;
  const pieces = steps.map(({ at }) => {
    const to = Math.max(from, at);
    const piece = text.slice(from, to);
    from = to;
    return piece;
  });
  return [...pieces, text.slice(from)];
}

/** Changes values one after another, so that other work can run in between. */
async function each<T>(all: readonly T[], change: (one: T) => Promise<T>): Promise<readonly T[]> {
  const changed: T[] = [];
  for (const one of all) changed.push(await change(one));
  return changed;
}
