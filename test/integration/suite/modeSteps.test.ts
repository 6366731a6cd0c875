import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { modeCalls } from '../../../src/features/chat/vscode/mode/modeCalls.ts';
import type { ContextSource } from '../../../src/features/context/vscode/source.ts';
import { Refusal } from '../../../src/platform/pages/callError.ts';
import { emptyConversation } from '../../../src/session/conversation/conversation.ts';
import { Session } from '../../../src/session/session.ts';
import { isServiceError } from '../../../src/util/errors.ts';
import { answering } from './dialogs.ts';
import { OwnParts } from './ownParts.ts';
import { openStage, type Stage } from './stage.ts';

const { Workspace } = vscode.ConfigurationTarget;
const switches = ['svc.tools.enabled', 'svc.changes.enabled'] as const;

/** The questions that the panel suggests: to carry out a plan, and to go on after decisions. */
describe('a suggested next step', () => {
  let stage: Stage;
  let parts: OwnParts;
  let session: Session;
  let asked: string[];
  let refused: string[];
  /** The source of the decisions that the model does not know. */
  let decisions: ContextSource | undefined;
  let attached: string[];

  beforeEach(async () => {
    stage = await openStage({ answer: () => '1. Change pay.ts.' });
    for (const key of switches) await stage.set(key, true);
    parts = new OwnParts();
    session = new Session(parts.dispatch);
    [asked, refused, attached, decisions] = [[], [], [], undefined];
  });
  afterEach(async () => {
    session.dispose();
    await parts.client.dispose();
    await stage.close();
  });

  const calls = () =>
    modeCalls(
      () => ({
        session,
        contextReader: parts.contextReader,
        changes: { decisions: () => decisions && { source: decisions, version: 1 } },
        attachments: { add: async ({ key }) => void attached.push(key) },
        messages: {
          answering: async (work) => {
            await work().catch((error: unknown) => {
              if (error instanceof Refusal) refused.push(error.message);
              else if (!isServiceError(error) || error.kind !== 'aborted') throw error;
            });
          },
        },
      }),
      async (text) => void asked.push(text),
    );
  const plan = async (): Promise<string> => {
    session.selectMode('plan');
    const { id, state } = await session.ask({ action: 'chat', prompt: 'Rename pay', attachments: [] });
    assert.equal(state.status, 'complete');
    return id;
  };
  const source = (): ContextSource => ({
    key: 'decisions:a',
    label: 'd',
    icon: '',
    read: async () => ({ attachments: [] }),
  });

  it('carries out the plan of the last answer, in Change', async () => {
    const turnId = await plan();
    await calls().carryOut({ turnId });
    assert.deepEqual([asked, refused, session.mode], [['Carry out the plan above.'], [], 'change']);
  });

  it('carries out no other answer, and nothing while an answer comes', async () => {
    const turnId = await plan();
    await calls().carryOut({ turnId: 'other' });
    session.selectMode('ask');
    const running = session.ask({ action: 'chat', prompt: 'And then?', attachments: [] });
    await calls().carryOut({ turnId });
    const { id } = await running;
    for (const each of [turnId, id]) await calls().carryOut({ turnId: each });
    const gone = 'This plan is no longer the last answer.';
    assert.deepEqual(refused, [gone, 'Wait until the current answer is complete.', gone, gone]);
    assert.deepEqual([asked, session.mode], [[], 'ask']);
  });

  it('asks first for what Change needs, and asks nothing if the user cancels or opens another conversation', async () => {
    const turnId = await plan();
    await stage.set('svc.changes.enabled', undefined);
    const dialogs = await answering(undefined, async () => calls().carryOut({ turnId }));
    assert.equal(dialogs.length, 1);
    assert.deepEqual([asked, refused, session.conversation.mode?.id], [[], [], 'plan']);
    await answering('Turn On', async () => {
      const carrying = calls().carryOut({ turnId });
      session.open(emptyConversation());
      await carrying;
    });
    assert.deepEqual([asked, session.mode], [[], 'ask']);
  });

  it('says why it is not possible where a workspace forbids changes', async () => {
    const turnId = await plan();
    await stage.set('svc.changes.enabled', false, Workspace);
    decisions = source();
    await calls().carryOut({ turnId });
    await calls().goOn(undefined);
    const why = 'Change is not available. Turned off in the workspace settings.';
    assert.deepEqual([asked, attached, refused], [[], [], [why, why]]);
  });

  it('continues with the decisions, even if the user has removed them from the composer', async () => {
    await calls().goOn(undefined);
    decisions = source();
    await calls().goOn(undefined);
    assert.deepEqual([attached, asked, session.mode], [['decisions:a'], ['Go on.'], 'change']);
    assert.deepEqual(refused, ['The model knows all of your decisions already.']);
  });
});
