import type { AskedModel } from '../../policy/requestOptions.ts';
import type { Mode } from '../../protocol/mode.ts';
import type { Attachment } from '../../send/message/attachment.ts';
import type { Outgoing, Project } from '../../send/outgoing.ts';
import { instructionsLead, leadOf } from '../prompts/houseRules.ts';
import { actionOf } from '../prompts/prompts.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { foldersOf } from './conversation.ts';
import { type Continues, messagesFor } from './messagesFor.ts';
import { hasAnswer, type Turn } from './turn.ts';

/** A turn to request, and the turns that it follows. */
export interface TurnInPlace {
  readonly turn: Turn;
  /** The turns before it, oldest first. */
  readonly before: readonly Turn[];
  readonly conversation: {
    readonly id: string;
    /** Whether the user has agreed to leave out whole turns if the conversation exceeds the model's context window. */
    readonly mayLeaveOutTurns: boolean;
    /** The model that the user selected for it. A prompt of the workspace can set another one. */
    readonly askedModel?: AskedModel;
  };
}

/** The content that a request can contain in addition to the conversation. */
export interface RequestExtras {
  readonly toolbox: Toolbox | null;
  /** The project's instructions, for a question. */
  readonly instructions: readonly Attachment[];
}

/** Returns the request for a turn. */
export function outgoingFor(
  place: TurnInPlace,
  continues: Continues,
  { toolbox, instructions }: RequestExtras,
): Outgoing {
  const { turn, before, conversation } = place;
  const isFurther = turn.answer.steps.length > 0;
  const { name: prompt, model } = turn.question.command ?? {};
  const askedModel = prompt === undefined || model === undefined ? conversation.askedModel : { model, prompt };
  const action = actionOf(turn.question);
  // The prompts of other actions have their own rules.
  const lead = action === 'chat' ? leadOf(instructions, rulesOf(turn, toolbox)) : instructionsLead(instructions);
  // All earlier turns were sent to the origin that the last turn with an origin names.
  const cameFrom = [...before, turn].findLast(({ question }) => question.origin !== undefined)?.question.origin;
  return {
    action,
    messages: messagesFor(turnsSent(place), continues, lead),
    modelKey: 'svc.model.chat',
    // In the middle of a turn, the user is not asked.
    fits: {
      conversation: conversation.id,
      mayLeaveOutTurns: conversation.mayLeaveOutTurns || isFurther,
    },
    folders: foldersOf(turnsSent(place)),
    // In the middle of a turn, no attachment of its question can be left out.
    ...(isFurther || turn.question.attachments.length === 0 ? {} : { attached: attachedOf(place) }),
    ...(askedModel === undefined ? {} : { askedModel }),
    ...(toolbox === null ? {} : { offer: toolbox.offer }),
    // Results of tools are useless without the tools.
    ...(toolbox === null || isFurther
      ? {}
      : { withoutTools: () => outgoingFor(place, continues, { toolbox: null, instructions }) }),
    ...(cameFrom === undefined ? {} : { cameFrom }),
  };
}

/** The mode whose rules a request has. Without the tools that propose, a model answers as in the mode `ask`. */
function rulesOf({ question: { mode = 'ask' } }: Turn, toolbox: Toolbox | null): Mode {
  const proposes = toolbox?.offer.tools.some(({ name }) => toolbox.proposes(name)) === true;
  return mode === 'change' && !proposes ? 'ask' : mode;
}

function attachedOf(place: TurnInPlace): Project {
  const { turn } = place;
  return {
    files: turn.question.attachments,
    foldersWithout: foldersOf(
      turnsSent({ ...place, turn: { ...turn, question: { ...turn.question, attachments: [] } } }),
    ),
  };
}

/** The turns whose content the request contains: the earlier turns that have an answer, and the turn itself. */
function turnsSent({ turn, before }: TurnInPlace): readonly Turn[] {
  return [...before.filter(hasAnswer), turn];
}
