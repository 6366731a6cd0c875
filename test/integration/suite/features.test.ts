import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { explanation } from '../../../src/features/chat/vscode/commands/chat.ts';
import { questionFrom } from '../../../src/features/context/vscode/attachments/question.ts';
import { asMade } from '../../../src/gate/content.ts';
import type { Feature } from '../../../src/policy/managed/managedPolicy.ts';
import type { Question } from '../../../src/session/conversation/turn.ts';
import { Session } from '../../../src/session/session.ts';
import { openPolicy } from '../../tools/managedPolicy.ts';
import { fieldsOf } from '../../tools/turns.ts';
import { OwnParts } from './ownParts.ts';
import { openStage, type Stage } from './stage.ts';

describe('a feature that an administrator switched off', () => {
  let stage: Stage;
  let parts: OwnParts;
  beforeEach(async () => {
    stage = await openStage();
    parts = new OwnParts();
  });
  afterEach(async () => {
    await parts.client.dispose();
    await stage.close();
  });

  const attachment = {
    label: 'a.ts',
    uri: 'untitled:a',
    firstLine: 1,
    languageId: 'typescript',
    text: asMade('a'),
    folder: null,
  };
  const typed = (text: string): Promise<Question> =>
    questionFrom(text, {
      attachments: { keys: ['diff:all'], read: async () => [attachment] },
    });
  const outcome = async (feature: Feature, question: Question): Promise<string> => {
    parts.policy = { ...openPolicy, disabledFeatures: [feature] };
    const { status = '', error } = fieldsOf(await new Session(parts.dispatch).ask(question));
    if (error === undefined) return status;
    return error.kind === 'policy' ? `${error.code} ${error.details.feature}` : `${error.code}`;
  };

  it('is also off as a slash command, and nothing is sent', async () => {
    const slashes = {
      explain: ['explain'],
      generate: ['generate', 'fix', 'tests', 'docs', 'commit'],
      review: ['review'],
    } as const;
    for (const feature of ['explain', 'generate', 'review'] as const) {
      for (const name of slashes[feature]) {
        assert.equal(await outcome(feature, await typed(`/${name} please`)), `feature-disabled ${feature}`, name);
      }
    }
    assert.equal(await outcome('explain', explanation('Explain this output.', attachment)), 'feature-disabled explain');
    assert.equal(stage.service.chats.length, 0);
  });

  it('does not affect chat and the other slash commands', async () => {
    assert.equal(await outcome('generate', await typed('/review')), 'complete');
    assert.equal(await outcome('review', await typed('Review this')), 'complete');
    assert.equal(stage.service.chats.length, 2);
  });

  it('does not affect a prompt of the workspace, which is treated as chat', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder, '.svc/prompts/reviewish.md');
    await vscode.workspace.fs.writeFile(file, Buffer.from('Look at it.\n'));
    try {
      assert.equal(await outcome('review', await typed('/reviewish')), 'complete');
    } finally {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder, '.svc'), { recursive: true });
    }
  });
});
