import type { ToolCall } from '../../../client/chat.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { toolText } from '../../../platform/sources/maker.ts';
import { type OwnText, ownText } from '../../../session/tools/ownText.ts';
import type { Toolbox, ToolboxSource, ToolResult } from '../../../session/tools/toolbox.ts';
import { saying, type ToolOutput } from '../../../session/tools/toolStep.ts';
import { isServiceError } from '../../../util/errors.ts';
import type { AuditService } from '../../audit/vscode/auditService.ts';
import { cutOutput } from './cutOutput.ts';
import type { FileChanges } from './fileChanges.ts';
import { offeredTools, runOtherTool } from './otherTools.ts';
import { checkPlace, ownTools } from './own/ownTools.ts';
import { ToolRefusal } from './own/place.ts';

/** The maximum size of one result, in bytes: about twenty results fit into a request. */
const maxResultBytes = 64 * 1024;
/** The maximum length of an input, in characters of JSON, because the user reads all of it. */
const maxInputChars = 16_000;

interface ToolboxParts {
  readonly contextReader: RequestContextReader;
  readonly audit: Pick<AuditService, 'note'>;
  readonly fileChanges: Pick<FileChanges, 'count'>;
}

/** Opens the tools for one request: ours, and other tools that the user has allowed. */
export function createToolboxes({ contextReader, audit, fileChanges }: ToolboxParts): ToolboxSource {
  return async () => {
    const tools = offeredTools(contextReader);
    // The interface does not accept an empty list.
    if (tools.length === 0) return null;
    const limit = Math.min(maxResultBytes, contextReader.limits().fileBytes);
    const toolbox: Toolbox = {
      offer: { tools, choice: 'auto' },
      whyNot: async (call) => {
        // The user may have turned off the tool since the request. Then they must not be asked, and an earlier approval
        // must not apply.
        const isOffered = offeredTools(contextReader).some(({ name }) => name === call.name);
        return isOffered ? whyNot(call) : saying(ownText`Refused: this tool has been turned off.`);
      },
      mustAsk: () => true,
      maxInputChars: () => maxInputChars,
      // A third-party tool may change anything; our own tools only read.
      changesFiles: (name) => !ownTools.has(name),
      fileChanges: () => fileChanges.count,
      run: async (call, signal) => {
        const { state, output } = await run(call, signal);
        return { state, output: cutOutput(output, limit) };
      },
      record: (entry) => audit.note(entry),
    };
    return toolbox;
  };
}

async function whyNot({ name, input }: ToolCall): Promise<ToolOutput | null> {
  const tool = ownTools.get(name);
  if (tool === undefined) return null;
  const misfit = tool.whyNotFitting(input);
  if (misfit !== null) return saying(misfit);
  try {
    await checkPlace(input);
    return null;
  } catch (error) {
    if (error instanceof ToolRefusal) return refusal(error);
    throw error;
  }
}

async function run(call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
  const { name, input } = call;
  try {
    const tool = ownTools.get(name);
    if (tool !== undefined) return { state: 'done', output: await tool.run(input, signal) };
    const result = await runOtherTool(name, input, signal);
    return { state: 'done', output: await foreign(ownText``, name, result) };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ToolRefusal) return { state: 'refused', output: await refusal(error) };
    return { state: 'failed', output: await failure(error) };
  }
}

/** Describes a refusal. The rule that excludes a file is text of the workspace. */
async function refusal({ words, rule }: ToolRefusal): Promise<ToolOutput> {
  return rule === undefined ? saying(words) : foreign(words, 'rule', `it is excluded by ${rule}`);
}

/**
 * Describes a failure. A tool's error message is content, like its result: it is sent to the model and shown to the
 * user, and never written to a log.
 */
async function failure(error: unknown): Promise<ToolOutput> {
  if (isServiceError(error) && error.code === 'nothing-there')
    return saying(ownText`The tool failed: there is nothing.`);
  const isGit = isServiceError(error) && error.code === 'git-failed';
  const words = isGit ? ownText`The tool failed: git failed.` : ownText`The tool failed.`;
  const reason = isGit ? error.reason : error instanceof Error ? error.message : undefined;
  return reason === undefined || reason === '' ? saying(words) : foreign(words, 'reason', reason);
}

/**
 * Returns third-party text that belongs to no file: all of it is scanned before it is cut, and the settings of all
 * folders apply.
 */
async function foreign(words: OwnText, label: string, text: string): Promise<ToolOutput> {
  if (text === '') return saying(words);
  return { text: words, attachments: [{ label, languageId: 'plaintext', ...(await toolText(text)) }] };
}
