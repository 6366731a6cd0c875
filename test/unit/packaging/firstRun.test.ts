import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

interface Step {
  readonly id: string;
  readonly description: string;
  readonly media: { readonly markdown: string };
  readonly completionEvents: readonly string[];
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8'));
const nls: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.nls.json', 'utf8'));
const steps: readonly Step[] = contributes.walkthroughs[0].steps;

function sources(): string {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return files.map((name) => readFileSync(`src/${name}`, 'utf8')).join('\n');
}

describe('the walkthrough', () => {
  it('is a single one with four steps', () => {
    assert.equal(contributes.walkthroughs.length, 1);
    assert.deepEqual(
      steps.map(({ id }) => id),
      ['connect', 'ask', 'change', 'leaves'],
    );
  });

  it('completes a step only when it is known to be done: running a command completes none', () => {
    const said = [...sources().matchAll(/stepDone\('(\w+)'\)/g)].flatMap(([, name]) => [
      `svc.done.${name}`,
      `svc.before.${name}`,
    ]);
    const asked = steps.flatMap(({ completionEvents }) => completionEvents);
    assert.deepEqual(
      asked.filter((event) => !event.startsWith('onContext:')),
      [],
    );
    const keys = new Set(asked.flatMap((event) => event.match(/svc\.[\w.]+/g) ?? []));
    assert.deepEqual([...keys].sort(), [...new Set(said)].sort());
  });

  it('refers to existing commands, from pages that are shipped', () => {
    const known = new Set(contributes.commands.map(({ command }: { command: string }) => command));
    for (const { id, media } of steps) {
      const text = nls[`svc.walkthrough.${id}.description`] ?? '';
      const links = [...text.matchAll(/\(command:([\w.]+)\)/g)].map(([, name = '']) => name);
      assert.ok(links.length > 0, id);
      assert.deepEqual(
        links.filter((name) => !known.has(name)),
        [],
      );
      assert.ok(existsSync(media.markdown), media.markdown);
    }
  });
});

describe('keybindings', () => {
  // The suite in the extension host shows that VS Code uses none of them.
  const elsewhere = ['svc.openChat', 'svc.newChat', 'svc.attach', 'svc.editCode'];

  it('begin a conversation or an edit with two keys, the first of which takes no key from others', () => {
    const bindings: readonly { readonly command: string; readonly key: string; readonly when: string }[] =
      contributes.keybindings;
    const keys = bindings.filter(({ command }) => elsewhere.includes(command));
    assert.deepEqual(
      keys.map(({ command }) => command),
      elsewhere,
    );
    for (const { command, key, when } of keys) {
      assert.match(key, /^ctrl\+k [a-z]$/, command);
      // In a terminal on a Mac, Cmd+K alone clears it.
      assert.match(when, /^(!terminalFocus$|editorTextFocus\b)/, command);
    }
  });

  it('otherwise apply only when one of our views is active, so that they take no key from others', () => {
    for (const { command, key, when } of contributes.keybindings) {
      if (elsewhere.includes(command)) continue;
      assert.match(key, /^[a-z]+(\+[a-z]+\d?)*$/, command);
      // Each alternative of the condition names one of our contexts.
      for (const part of String(when).split('||')) {
        assert.match(part, /(^|&& *)(resourceScheme == svc-|svc\.\w+|focusedView == svc\.)/);
      }
    }
  });
});
