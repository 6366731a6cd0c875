import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ToolRefusal } from '../../../src/features/tools/vscode/own/place.ts';
import type { Dispatch, Dispatched } from '../../../src/send/dispatch.ts';
import { isServiceError } from '../../../src/util/errors.ts';
import { waysIn as table, type Way } from '../../tools/waysIn.ts';
import { answering } from './dialogs.ts';
import { type Kind, KindsOut } from './kindsOut.ts';
import { OwnParts } from './ownParts.ts';
import { openStage, type Stage } from './stage.ts';
import { type WayIn, waysIn } from './waysIn.ts';

const workspace = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');

/** Combines every way into a request with every kind of file that may not be sent. */
describe('what may not be sent', () => {
  let stage: Stage;
  let parts: OwnParts;
  let out: KindsOut;
  /** What would have been sent. */
  let bodies: string[];
  /** Why the gate refused. */
  let reasons: string[];
  let root: vscode.Uri;
  let ways: Readonly<Record<Way, WayIn>>;

  before(async () => {
    stage = await openStage();
    parts = new OwnParts();
    out = new KindsOut(workspace);
    await out.addNotebook();
    const door: Dispatch = {
      preview: (outgoing) => parts.dispatch.preview(outgoing),
      measure: (outgoing) => parts.dispatch.measure(outgoing),
      check: (outgoing) => parts.dispatch.check(outgoing),
      // Stops just before the network.
      send: async (outgoing) => {
        const { request } = await parts.dispatch.preview(outgoing).catch((error: unknown) => {
          if (isServiceError(error)) reasons.push(error.reason ?? '');
          throw error;
        });
        bodies.push(request.body);
        return { model: '', headers: [], secrets: 'mask', masked: 0, events: nothing() } as unknown as Dispatched;
      },
    };
    const all = [out.allowed, ...out.kinds];
    ways = waysIn(
      door,
      (uri) => all.find((kind) => kind.uri.toString() === uri.toString())?.marker ?? 'marker_none',
      () => root,
    );
  });
  after(async () => {
    await out.dispose();
    await parts.client.dispose();
    await stage.close();
  });
  beforeEach(() => {
    [bodies, reasons] = [[], []];
  });

  /** Everything that would have been sent, and the refusals. */
  async function bring(way: WayIn, kind: Kind): Promise<{ readonly sent: string; readonly said: string }> {
    [bodies, reasons] = [[], []];
    let refusal = '';
    // The user does not agree to files outside the workspace.
    const asked = await answering(undefined, async () => {
      await way.bring(kind.uri).catch((error: unknown) => {
        refusal = error instanceof ToolRefusal ? `${error.message} ${error.rule ?? ''}` : String(error);
      });
    });
    return { sent: bodies.join('\n'), said: [...reasons, refusal, ...asked.map(({ message }) => message)].join('\n') };
  }

  // The last one changes all of the files.
  const names = Object.values(table).flat();
  for (const name of [...names.filter((one) => one !== 'git diff'), 'git diff'] as const) {
    it(`does not leave by the way: ${name}`, async () => {
      if (name === 'git diff') root = out.changeAll();
      const way = ways[name];
      const control = await bring(way, out.allowed);
      assert.match(control.sent, new RegExp(seenOf(way, out.allowed)), `it brings what may be sent; ${control.said}`);
      for (const kind of out.kinds) {
        const { sent, said } = await bring(way, kind);
        assert.ok(!sent.includes(seenOf(way, kind)), `${kind.name} left`);
        if (way.isNamed) assert.match(said, kind.rule, kind.name);
      }
    });
  }
});

/** The part of a file that proves that it left. */
function seenOf({ isListing }: WayIn, { uri, marker }: Kind): string {
  return isListing === true ? uri.path.slice(uri.path.lastIndexOf('/') + 1) : marker;
}

async function* nothing(): AsyncGenerator<never> {}
