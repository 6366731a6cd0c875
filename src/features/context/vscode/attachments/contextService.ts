import type * as vscode from 'vscode';
import type { CompletionItem, CompletionTrigger } from '../../../../protocol/attachments.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';
import type { Question } from '../../../../session/conversation/turn.ts';

import { droppedSource, sourceOf } from '../dropped.ts';
import { WorkspaceFiles } from '../files.ts';
import type { WhyExcluded } from '../gather.ts';
import { type CommandAbout, commandAbout } from './commandAbout.ts';
import { type ListRequest, OfferedLists } from './offeredLists.ts';
import { offerContext } from './offers.ts';
import type { PendingAttachments } from './pendingAttachments.ts';
import { commandContent, pinCode, type QuestionParts, questionFrom } from './question.ts';
import { offerCommands } from './slash.ts';

interface ContextParts {
  readonly attachments: PendingAttachments;
  readonly whyExcluded: WhyExcluded;
}

/** A query of the popup. */
interface CompletionQuestion extends ListRequest {
  readonly trigger: CompletionTrigger;
  readonly query: string;
}

/** Attachments and commands of the composer. Loaded on first use. */
export class ContextService {
  readonly #parts: ContextParts;
  readonly #files = new WorkspaceFiles();
  readonly #offered = new OfferedLists();
  #lastAsked = 0;

  constructor(parts: ContextParts) {
    this.#parts = parts;
  }

  /** Returns the items for the popup, or null if a newer query has arrived in the meantime. */
  async complete({ request, shown, trigger, query }: CompletionQuestion): Promise<readonly CompletionItem[] | null> {
    this.#lastAsked = request;
    const offers =
      trigger === '@' ? await offerContext(query, this.#files, this.#parts.whyExcluded) : await offerCommands(query);
    if (this.#lastAsked !== request) return null;
    return this.#offered.add({ request, shown }, offers);
  }

  /** Attaches the item offered under this ID. Throws a ServiceError if there is nothing to read. */
  async choose(id: string): Promise<void> {
    const offer = this.#offered.find(id);
    // The page can choose only what it was offered.
    if (offer?.source === undefined || offer.isBlocked) return;
    await this.#parts.attachments.add(await offer.source());
  }

  /**
   * Returns the question for a message that begins with `/`, with attachments that are read now or, for an edited
   * question, were read before. Throws a ServiceError if it cannot be asked.
   */
  question(text: string, given: readonly Attachment[] | QuestionParts['attachments']): Promise<Question> {
    if ('read' in given) return questionFrom(text, { attachments: given });
    const keys = given.length === 0 ? [] : ['diff:kept'];
    return questionFrom(text, { attachments: { keys, read: async () => given } });
  }

  /** Attaches the code that a slash command would use now. */
  pin(text: string): Promise<void> {
    return pinCode(text, this.#parts.attachments);
  }

  /** The parts that a slash command would add to the next request. */
  commandAbout(name: string): Promise<CommandAbout> {
    return commandAbout(name, this.#parts.attachments.keys);
  }

  /** The content that a slash command would add to the attachments. */
  commandContent(name: string, attached: readonly string[]): Promise<readonly Attachment[]> {
    return commandContent(name, attached);
  }

  /** Attaches files and folders. Throws a ServiceError for the first URI that is neither. */
  async attach(uris: readonly vscode.Uri[]): Promise<void> {
    for (const uri of uris) await this.#parts.attachments.add(await sourceOf(uri));
  }

  /** Attaches files and folders dropped onto the composer. Throws a ServiceError for the first URI that is neither. */
  async drop(uris: readonly string[]): Promise<void> {
    for (const uri of uris) await this.#parts.attachments.add(await droppedSource(uri));
  }
}

export function createContextService(parts: ContextParts): ContextService {
  return new ContextService(parts);
}
