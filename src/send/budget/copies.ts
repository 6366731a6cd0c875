import type { Attachment } from '../message/attachment.ts';
import { asAbove, asAboveBefore, quoteChanges } from '../message/quote.ts';
import { type Attached, nameOf, QuotedFiles, type SentAs } from '../repeats.ts';
import { nothing, type Size, sizeOf, sum } from './sizes.ts';

/** One of several places of a request that have an attachment. */
export interface Copy {
  readonly attached: Attached;
  isIn: boolean;
  sentAs: SentAs;
  size: Size;
}

/**
 * The attachments of a draft. How each is sent depends on the earlier copies in the request: if one is removed, the next
 * is sent whole.
 */
export class Copies {
  readonly #byName = new Map<string, Copy[]>();
  /** The names whose copies have to be looked at again. */
  readonly #changed = new Set<string>();
  #size = nothing;

  /** Adds a copy after all others. */
  add(attachment: Attachment, isOfQuestion: boolean): Copy {
    const copy: Copy = { attached: attachedOf(attachment, isOfQuestion), isIn: true, sentAs: whole, size: nothing };
    const name = nameOf(attachment);
    const all = this.#byName.get(name);
    if (all === undefined) this.#byName.set(name, [copy]);
    else all.push(copy);
    this.#changed.add(name);
    return copy;
  }

  take(copy: Copy): void {
    copy.isIn = false;
    this.#changed.add(nameOf(copy.attached.attachment));
  }

  /** The size of all copies that are in the request. */
  get size(): Size {
    this.#settle();
    return this.#size;
  }

  /** The bytes that a copy takes; 0 if it is not in the request, or only as a line. */
  bytesOf(copy: Copy): number {
    this.#settle();
    const isLine = copy.sentAs.is === 'repeat' || copy.sentAs.is === 'before-changes';
    return copy.isIn && !isLine ? copy.size.bytes : 0;
  }

  /** The copies that are sent as their changes to this one. */
  changesTo({ attached, isIn }: Copy): readonly Copy[] {
    this.#settle();
    if (!isIn) return [];
    const all = this.#byName.get(nameOf(attached.attachment)) ?? [];
    return all.filter(({ sentAs, isIn }) => isIn && sentAs.is === 'changes' && sentAs.base === attached.attachment);
  }

  /** The size of an attachment of a question after these copies and the other attachments. */
  sizeAfter(attachment: Attachment, others: readonly Attachment[]): Size {
    const name = nameOf(attachment);
    const above = new QuotedFiles();
    const copies = (this.#byName.get(name) ?? []).filter(({ isIn }) => isIn).map(({ attached }) => attached);
    const more = others.filter((other) => nameOf(other) === name).map((other) => attachedOf(other, true));
    for (const attached of [...copies, ...more]) above.add(attached, above.sentAs(attached));
    return sizeSent(attachment, above.sentAs(attachedOf(attachment, true)));
  }

  #settle(): void {
    for (const name of this.#changed) {
      const above = new QuotedFiles();
      for (const copy of this.#byName.get(name) ?? []) {
        const { bytes, json } = copy.size;
        copy.size = nothing;
        if (copy.isIn) {
          copy.sentAs = above.sentAs(copy.attached);
          above.add(copy.attached, copy.sentAs);
          copy.size = sizeSent(copy.attached.attachment, copy.sentAs);
        }
        this.#size = sum(this.#size, copy.size, { bytes: -bytes, json: -json });
      }
    }
    this.#changed.clear();
  }
}

const whole: SentAs = { is: 'whole' };

/** Assumes that no secret is found: a request with a secret is longer than this. */
function attachedOf(attachment: Attachment, isOfQuestion: boolean): Attached {
  return { attachment, treatment: null, isOfQuestion };
}

function sizeSent(attachment: Attachment, sentAs: SentAs): Size {
  switch (sentAs.is) {
    case 'whole':
      return sizeOf(attachment);
    case 'repeat':
      return sizeOf(asAbove(attachment.label));
    case 'before-changes':
      return sizeOf(asAboveBefore(attachment.label));
    case 'changes':
      return sizeOf(quoteChanges(attachment.label, sentAs.hunks));
  }
}
