import * as vscode from 'vscode';
import type { SizeLimits } from '../../../../gate/limits.ts';
import { relativePath } from '../../../../platform/files/relativePath.ts';
import { answerLanguage } from '../../../../platform/messages/answerLanguage.ts';
import { allFolders } from '../../../../platform/settings/settingsReader.ts';
import { attachCode, attachFile, attachWhole } from '../../../../platform/sources/attach.ts';
import { withEnclosing } from '../../../../platform/sources/enclosing.ts';
import { type MakeOptions, namelessText } from '../../../../platform/sources/maker.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';
import { leftOut } from '../../../../send/message/quote.ts';
import type { Outgoing, OutgoingMessage } from '../../../../send/outgoing.ts';
import { aroundWords, type ParticipantCommand, participantParts } from '../../../../session/prompts/prompts.ts';
import { ServiceError } from '../../../../util/errors.ts';

const modelKeys = {
  chat: 'svc.model.chat',
  explain: 'svc.model.chat',
  generate: 'svc.model.code',
  review: 'svc.model.review',
} as const;

type Question = Pick<vscode.ChatRequest, 'command' | 'prompt' | 'references' | 'model'>;
type EarlierQuestion = Pick<vscode.ChatRequestTurn, 'command' | 'prompt' | 'references'>;

/** Returns a question to `@svc` in the form that is sent, with the earlier turns and the current content of each attachment. */
export async function outgoingQuestion(
  { command, prompt, references, model }: Question,
  history: vscode.ChatContext['history'],
  { fileBytes }: Pick<SizeLimits, 'fileBytes'>,
): Promise<Outgoing> {
  const action = commandOf(command);
  const attached = await attachmentsIn(references);
  const editor = vscode.window.activeTextEditor;
  // These commands need code. Without an attachment, they use the code in the editor.
  const needsCode = (action === 'explain' || action === 'review') && attached.length === 0;
  const given = needsCode && editor !== undefined ? [await attachCode(editor)] : attached;
  const [code, ...others] = given;
  const isSingleCode = action === 'explain' && code !== undefined && others.length === 0;
  const attachments = isSingleCode ? await withEnclosing(code) : given;
  const hasEnclosing = attachments.length > given.length;
  const isOurs = model?.vendor === 'svc' && action === 'chat';
  return {
    action,
    messages: [
      ...(await messagesBefore(history, fileBytes)),
      {
        role: 'user',
        parts: participantParts(
          action,
          prompt,
          [...(hasEnclosing ? [aroundWords] : []), ...attachments],
          answerLanguage(),
        ),
        secrets: 'ask',
      },
    ],
    modelKey: modelKeys[action],
    // The model is the one that is selected below the input; commands use the models of the settings.
    ...(isOurs ? { askedModel: { model: model.id } } : {}),
    folders: allFolders(),
  };
}

async function messagesBefore(
  history: vscode.ChatContext['history'],
  fileBytes: number,
): Promise<readonly OutgoingMessage[]> {
  const messages: OutgoingMessage[] = [];
  for (const turn of history) {
    if (turn instanceof vscode.ChatRequestTurn) {
      messages.push({ role: 'user', parts: await partsBefore(turn, fileBytes), secrets: 'mask' });
    } else if (turn instanceof vscode.ChatResponseTurn) {
      const text = answerIn(turn);
      // A question without an answer is not included.
      if (text === '') messages.pop();
      else messages.push({ role: 'assistant', parts: [text], secrets: 'mask' });
    }
  }
  return messages;
}

async function partsBefore(
  { command, prompt, references }: EarlierQuestion,
  fileBytes: number,
): Promise<readonly (string | Attachment)[]> {
  const parts = await Promise.all(references.toReversed().map((reference) => partBefore(reference, fileBytes)));
  return participantParts(
    commandOf(command),
    prompt,
    parts.filter((part) => part !== null),
    answerLanguage(),
  );
}

/**
 * Returns an attachment of an earlier question with its current content. If it can no longer be read or is now too large, it is
 * replaced with one line, because the user cannot remove it from the thread. The user is not asked again about files outside the
 * workspace.
 */
async function partBefore(
  reference: vscode.ChatPromptReference,
  fileBytes: number,
): Promise<string | Attachment | null> {
  try {
    const attachment = await attachmentOf(reference, 'agreed');
    if (attachment === null || Buffer.byteLength(attachment.text) <= fileBytes) return attachment;
    return leftOut(attachment.label);
  } catch {
    return leftOut(nameOf(reference));
  }
}

function nameOf({ id, value }: vscode.ChatPromptReference): string {
  const uri = value instanceof vscode.Location ? value.uri : value;
  if (uri instanceof vscode.Uri) return relativePath(uri);
  return isImage(value) ? 'image' : id;
}

function isImage(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'mimeType' in value;
}

/** Returns the text of the answer, without the line that we add below it. */
function answerIn({ response, result }: vscode.ChatResponseTurn): string {
  const text = response
    .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
    .join('');
  const line: unknown = result.metadata?.line;
  return (typeof line === 'string' && text.endsWith(line) ? text.slice(0, -line.length) : text).trim();
}

function commandOf(command: string | undefined): ParticipantCommand {
  return command === 'explain' || command === 'generate' || command === 'review' ? command : 'chat';
}

/** Returns the attachments in the order in which they appear in the question, because VS Code lists the last one first. */
async function attachmentsIn(references: readonly vscode.ChatPromptReference[]): Promise<readonly Attachment[]> {
  const read = await Promise.all(references.toReversed().map((one) => attachmentOf(one, 'ask')));
  return read.filter((attachment) => attachment !== null);
}

/** The IDs of references that VS Code adds for its agents, and that the user did not attach. */
const addedByVSCode = /^vscode\.(customizations|instructions)\./;

async function attachmentOf(
  { id, value }: vscode.ChatPromptReference,
  outside: MakeOptions['outside'],
): Promise<Attachment | null> {
  if (addedByVSCode.test(id)) return null;
  if (value instanceof vscode.Uri) {
    if (await isFolder(value)) return null;
    return attachWhole(value, { outside });
  }
  if (value instanceof vscode.Location) return attachFile(value.uri, () => value.range, { outside });
  if (typeof value === 'string') return textAttachment(id, value);
  if (isImage(value)) {
    throw new ServiceError('gate', 'An image is attached.', { code: 'no-images' });
  }
  // Tools and other references are ignored.
  return null;
}

/** Returns an attachment for text without a file, such as the output of a terminal. */
function textAttachment(id: string, text: string): Attachment {
  return { label: id, languageId: '', ...namelessText(text, 'untitled:reference') };
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
  } catch {
    // The URI may be that of an unsaved document. Reading it later reports any error.
    return false;
  }
}
