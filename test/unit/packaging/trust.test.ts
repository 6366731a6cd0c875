import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readSources } from '../../tools/rooms.ts';

/** A check before a request that does not record its refusal. */
const unrecorded = /\brequireTrust\(\)/;

/** The files that may do so, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'createServices.ts': 'the client: dispatch records what it refuses; checks of the connection have no content',
  'platform/settings/requestContextReader.ts': 'as for the client',
  'platform/settings/trust.ts': 'requireTrustToSend(), which records it',
  'features/connection/vscode/connect.ts': 'checks a new key, without content',
};

function unrecordedIn(sources: ReadonlyMap<string, string>): readonly string[] {
  const isDeclared = (line: string): boolean => /^export function /.test(line);
  return [...sources]
    .filter(([, text]) => text.split('\n').some((line) => !isDeclared(line) && unrecorded.test(line)))
    .map(([path]) => path);
}

describe('a command that would send a request', () => {
  it('records that the workspace is not trusted, even if it checks this before dispatch does', () => {
    assert.deepEqual([...unrecordedIn(readSources('src'))].sort(), Object.keys(allowed).sort());
    const text = readFileSync('src/commands.ts', 'utf8');
    const rows = text.split(/^ {2}(?='svc\.)/m).filter((row) => row.includes("trust: 'sending' }"));
    // These send nothing.
    assert.deepEqual(
      rows.map((row) => /^'([\w.]+)'/.exec(row)?.[1]),
      ['svc.addCommitTrailers'],
    );
    assert.deepEqual(unrecordedIn(new Map([['features/planted.ts', '  requireTrust();\n']])), ['features/planted.ts']);
  });
});
