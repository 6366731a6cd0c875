import assert from 'node:assert/strict';
import { type Command, helpText, parseCommandLine } from '../../service/commandLine.ts';
import { scenarioNames } from '../../service/scenarios.ts';

function parse(line: string, env: Readonly<Record<string, string>> = {}): Command {
  return parseCommandLine(line.split(' ').filter(Boolean), env);
}

describe('local service: command line', () => {
  it('runs on 127.0.0.1:4010 by default', () => {
    assert.deepEqual(parse(''), { kind: 'run', options: { port: 4010, host: '127.0.0.1', demo: false } });
    assert.deepEqual(parse('--port 0 --host ::1 --scenario stall'), {
      kind: 'run',
      options: { port: 0, host: '::1', demo: false, scenario: 'stall' },
    });
  });

  it('reads an upstream, its model, and its key from the environment', () => {
    const command = parse('--upstream http://127.0.0.1:11434/v1 --upstream-model llama', { SVC_UPSTREAM_KEY: 'k' });
    assert.ok(command.kind === 'run');
    assert.deepEqual(command.options.upstream, { url: 'http://127.0.0.1:11434/v1', key: 'k', model: 'llama' });
  });

  it('reads the speed of a model', () => {
    const command = parse('--tokens-per-second 80 --first-token-ms 150');
    assert.ok(command.kind === 'run');
    assert.equal(command.options.tokensPerSecond, 80);
    assert.equal(command.options.firstTokenMs, 150);
  });

  it('rejects unknown input with a message', () => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      ['--host 0.0.0.0', /binds to loopback only .* not to 0\.0\.0\.0/],
      ['--port x', /--port x is not a port number/],
      ['--port 70000', /not a port number/],
      ['--scenario none', /--scenario none does not exist/],
      ['--upstream ftp://a', /not an http or https address/],
      ['--upstream-model a', /needs --upstream/],
      ['--tokens-per-second 0', /--tokens-per-second 0 is not a positive number/],
      ['--first-token-ms soon', /--first-token-ms soon is not a positive number/],
      ['--nonsense', /--nonsense/],
    ];
    for (const [line, message] of wrong) assert.throws(() => parse(line), message);
  });

  it('lists every scenario with its description', () => {
    const command = parse('--list-scenarios');
    assert.ok(command.kind === 'print');
    const names = command.text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    assert.deepEqual(names, scenarioNames);
  });

  it('has a help text that names every option', () => {
    assert.deepEqual(parse('--help'), { kind: 'print', text: helpText });
    for (const option of [
      'port',
      'host',
      'scenario',
      'list-scenarios',
      'demo',
      'upstream',
      'upstream-model',
      'tokens-per-second',
      'first-token-ms',
      'help',
    ])
      assert.ok(helpText.includes(`--${option} `), option);
  });
});
