import type { Outgoing } from '../dispatch/outgoing.ts';
import { actionOf } from '../prompts/prompts.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { foldersOf, type Turn } from './conversation.ts';
import { messagesFor } from './messagesFor.ts';

/** A turn to ask for, and what it follows. */
export interface TurnInPlace {
  readonly turn: Turn;
  /** The turns before it, oldest first. */
  readonly before: readonly Turn[];
}

/** The request for a turn. With `continues`, it asks for the rest of the turn's answer. */
export function outgoingFor(place: TurnInPlace, continues: boolean, toolbox: Toolbox | null): Outgoing {
  const { turn, before } = place;
  const offer = toolbox === null || toolbox.isDeclined ? {} : { offer: toolbox.offer };
  // All earlier turns were sent to the origin that the last of them names.
  const cameFrom = [...before, turn].findLast(({ origin }) => origin !== undefined)?.origin;
  return {
    action: actionOf(turn),
    messages: messagesFor(turnsSent(place), continues, 'offer' in offer),
    ...toolQuestion(place),
    ...offer,
    ...(cameFrom === undefined ? {} : { cameFrom }),
  };
}

/** What determines the tools of a request: its model and the sources of its content. */
export function toolQuestion(place: TurnInPlace): Pick<Outgoing, 'modelKey' | 'folders' | 'askedModel'> {
  const { name, model } = place.turn.command ?? {};
  return {
    modelKey: 'svc.model.chat',
    folders: foldersOf(turnsSent(place)),
    ...(name === undefined || model === undefined ? {} : { askedModel: { model, prompt: name } }),
  };
}

/** The turns whose content the request carries: those before that have an answer, and the turn itself. */
function turnsSent({ turn, before }: TurnInPlace): readonly Turn[] {
  return [...before.filter(({ answer }) => answer !== ''), turn];
}
