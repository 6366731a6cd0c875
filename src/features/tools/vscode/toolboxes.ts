import type { ToolCall } from '../../../client/chat.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { toolApproval } from '../../../platform/settings/toolsEnabled.ts';
import { toolText } from '../../../platform/sources/maker.ts';
import { maxToolCalls } from '../../../policy/managed/toolRules.ts';
import { type OwnText, ownText } from '../../../session/tools/ownText.ts';
import type { Toolbox, ToolboxSource, ToolResult } from '../../../session/tools/toolbox.ts';
import { saying, type ToolOutput } from '../../../session/tools/toolStep.ts';
import { isServiceError } from '../../../util/errors.ts';
import type { AuditService } from '../../audit/vscode/auditService.ts';
import { cutOutput } from './cutOutput.ts';
import type { FileChanges } from './fileChanges.ts';
import { offeredTools, runOtherTool } from './otherTools.ts';
import { checkPlace, ownTools, readingTools } from './own/ownTools.ts';
import { ToolRefusal } from './own/place.ts';
import {
  type ChangesStatus,
  maxResultBytes,
  type OwnOutput,
  type ProposedFiles,
  type TasksOfCall,
} from './own/tool.ts';
import { unchangedFiles } from './own/unchangedFiles.ts';
import type { Tasks } from './tasks/tasks.ts';

/** The maximum length of an input in characters of JSON, because the user reads all of it. */
const maxInputChars = 16_000;
/** The maximum length of the input of a tool that proposes, which the user sees as a diff: a whole file fits. */
const maxProposedChars = 1_200_000;

interface ToolboxParts {
  readonly contextReader: RequestContextReader;
  readonly audit: Pick<AuditService, 'note'>;
  readonly fileChanges: Pick<FileChanges, 'count'>;
  /** Returns the files of a conversation with the changes that are proposed for them, or undefined if none can be proposed. */
  readonly proposed: (conversationId: string) => ProposedFiles | undefined;
  /** Returns the files with accepted changes that build, installation or test commands commonly execute. */
  readonly buildFiles: () => Omit<ChangesStatus, 'waiting'>;
  readonly tasks: () => Promise<Pick<Tasks, 'of'>>;
}

/** Opens the tools for one request: ours, and other tools that the user has allowed. */
export function createToolboxes({
  contextReader,
  audit,
  fileChanges,
  proposed,
  buildFiles,
  tasks,
}: ToolboxParts): ToolboxSource {
  return async (conversationId, mode) => {
    const filesNow = (): ProposedFiles => proposed(conversationId) ?? unchangedFiles;
    const tasksOf = (call: ToolCall): TasksOfCall => {
      const status = (): ChangesStatus => ({ waiting: filesNow().waiting, ...buildFiles() });
      const ofCall = async () => (await tasks()).of(call, status);
      return {
        question: async (name) => (await ofCall()).question(name),
        run: async (signal) => (await ofCall()).run(signal),
      };
    };
    const questions = new WeakMap<ToolCall, string>();
    const tools = offeredTools(contextReader, mode);
    // The interface does not accept an empty list.
    if (tools.length === 0) return null;
    const limit = Math.min(maxResultBytes, contextReader.limits().fileBytes);
    const toolbox: Toolbox = {
      offer: { tools, choice: 'auto' },
      proposes,
      whyNot: async (call) => {
        // The user may have turned off the tool since the request. Then they must not be asked, and an earlier approval
        // must not apply.
        const isOffered = offeredTools(contextReader, mode).some(({ name }) => name === call.name);
        if (!isOffered) return saying(ownText`Refused: this tool has been turned off.`);
        return (
          (await whyNot(call)) ??
          orRefusal(async () => {
            const question = await ownTools.get(call.name)?.asks?.(call.input, tasksOf(call));
            if (question !== undefined) questions.set(call, question);
            return null;
          })
        );
      },
      mustAsk: ({ name }) => !proposes(name) && !(readingTools.has(name) && toolApproval(contextReader) === 'reads'),
      maxCalls: contextReader.toolRules.maxCalls ?? maxToolCalls,
      asksEach: (name) => asks(name) || toolApproval(contextReader) === 'each',
      questionAbout: (call) => questions.get(call),
      maxInputChars: (name) => (proposes(name) ? maxProposedChars : maxInputChars),
      // A third-party tool may change anything; most of our own tools only read.
      changesFiles: (name) => proposes(name) || asks(name) || !ownTools.has(name),
      fileChanges: () => fileChanges.count,
      run: async (call, signal) => {
        const files = filesNow();
        const { state, output } = await run(call, signal, files, tasksOf(call));
        const { read, bytesLeftOut, ...whatIsSent } = output;
        const cut = cutOutput(whatIsSent, limit, bytesLeftOut);
        if (read !== undefined) files.noteRead(read.file, cut.cutFrom === undefined ? read.text : null);
        return { state, output: cut };
      },
      record: (entry) => audit.note(entry),
    };
    return toolbox;
  };
}

function proposes(name: string): boolean {
  return ownTools.get(name)?.proposes === true;
}

function asks(name: string): boolean {
  return typeof ownTools.get(name)?.asks === 'function';
}

async function whyNot({ name, input }: ToolCall): Promise<ToolOutput | null> {
  const tool = ownTools.get(name);
  if (tool === undefined) return null;
  const misfit = tool.whyNotFitting(input);
  if (misfit !== null) return saying(misfit);
  // The user is not asked about these, so they check their paths when they run.
  if (tool.proposes) return null;
  return orRefusal(async () => {
    await checkPlace(tool.withOwnNames(input));
    return null;
  });
}

async function orRefusal(check: () => Promise<null>): Promise<ToolOutput | null> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof ToolRefusal) return refusal(error);
    throw error;
  }
}

async function run(
  call: ToolCall,
  signal: AbortSignal,
  proposed: ProposedFiles,
  tasks: TasksOfCall,
): Promise<ToolResult & { readonly output: OwnOutput }> {
  const { name, input } = call;
  try {
    const tool = ownTools.get(name);
    if (tool !== undefined) return { state: 'done', output: await tool.run(input, signal, proposed, tasks) };
    const result = await runOtherTool(name, input, signal);
    return { state: 'done', output: await foreign(ownText``, name, result) };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ToolRefusal) return { state: 'refused', output: await refusal(error) };
    return { state: 'failed', output: await failure(error) };
  }
}

/** Describes a refusal. The rule that excludes a file is text of the workspace. */
async function refusal({ words, rule, attachments }: ToolRefusal): Promise<ToolOutput> {
  return rule === undefined ? { text: words, attachments } : foreign(words, 'rule', `it is excluded by ${rule}`);
}

/**
 * Describes a failure. A tool's error message is content, like its result: it is sent to the model and shown to the
 * user, and never written to a log.
 */
async function failure(error: unknown): Promise<ToolOutput> {
  if (isServiceError(error) && error.code === 'nothing-there')
    return saying(ownText`The tool failed: there is nothing.`);
  // Git's own reason may name excluded files.
  if (isServiceError(error) && error.code === 'git-failed')
    return saying(ownText`The tool failed: git failed. The user sees why if they attach the git diff.`);
  const reason = error instanceof Error ? error.message : '';
  return reason === '' ? saying(ownText`The tool failed.`) : foreign(ownText`The tool failed.`, 'reason', reason);
}

/**
 * Returns third-party text that belongs to no file: all of it is scanned before it is cut, and the settings of all
 * folders apply.
 */
async function foreign(words: OwnText, label: string, text: string): Promise<ToolOutput> {
  if (text === '') return saying(words);
  return { text: words, attachments: [{ label, languageId: 'plaintext', ...(await toolText(text)) }] };
}
