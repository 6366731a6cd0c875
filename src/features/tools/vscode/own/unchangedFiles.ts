import { ownText } from '../../../../session/tools/ownText.ts';
import { ToolRefusal } from './place.ts';
import type { ProposedFiles } from './tool.ts';

/** The files of a conversation in which nothing can be proposed: the tools for it are not offered. */
export const unchangedFiles: ProposedFiles = {
  textOf: () => undefined,
  list: () => [],
  noteRead: () => undefined,
  edit: notOffered,
  write: notOffered,
  delete: notOffered,
  rename: notOffered,
  waiting: 0,
};

function notOffered(): never {
  throw new ToolRefusal(ownText`Refused: no changes can be proposed.`);
}
