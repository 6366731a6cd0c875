import assert from 'node:assert/strict';
import { type RuledTool, type ToolRules, toolRefusal } from '../../../src/policy/managed/toolRules.ts';

const own = (name: string): RuledTool => ({ name, mcp: null });
const mcp = (server: string, tool: string): RuledTool => ({
  name: `mcp_${server}_${tool}`.replace(/\W/g, '_').slice(0, 64),
  mcp: { server, tool },
});
const unknown = (name: string): RuledTool => ({ name, mcp: 'unknown' });

const github = mcp('github', 'create_issue');
const nested = mcp('io.github.acme/docs', 'search');

const cases: readonly (readonly [rules: ToolRules, tool: RuledTool, expected: ReturnType<typeof toolRefusal>])[] = [
  [{}, own('read_file'), null],
  [{}, unknown('anything'), null],
  [{ allow: ['read_file'] }, own('read_file'), null],
  [{ allow: ['read_file'] }, own('read_files'), 'notAllowed'],
  [{ allow: ['read_file'] }, own('Read_file'), 'notAllowed'],
  [{ allow: ['read_*'] }, own('read_file'), null],
  [{ allow: ['read_*'] }, own('list_files'), 'notAllowed'],
  [{ allow: ['*'] }, github, null],
  [{ deny: ['*'] }, own('read_file'), 'denied'],
  [{ allow: ['git_diff'], deny: ['git_*'] }, own('git_diff'), 'denied'],
  [{ deny: [] }, own('git_diff'), null],
  [{ allow: ['mcp:github'] }, github, null],
  [{ allow: ['mcp:github'] }, mcp('github2', 'create_issue'), 'notAllowed'],
  [{ allow: ['mcp:github/create_issue'] }, github, null],
  [{ allow: ['mcp:github/create_*'] }, github, null],
  [{ allow: ['mcp:github/read_*'] }, github, 'notAllowed'],
  [{ allow: ['mcp:*'] }, github, null],
  [{ allow: ['mcp:*'] }, own('read_file'), 'notAllowed'],
  [{ deny: ['mcp:*'] }, own('read_file'), null],
  [{ deny: ['mcp:git*'] }, github, 'denied'],
  [{ deny: ['mcp:io.github.acme/docs'] }, nested, 'denied'],
  [{ deny: ['mcp:io.github.acme/docs/search'] }, nested, 'denied'],
  [{ deny: ['mcp:io.github.acme/docs/list'] }, nested, null],
  // VS Code has the names of servers in lower case, with hyphens; a rule has them as the configuration does.
  [{ deny: ['mcp:GitHub'] }, github, 'denied'],
  [{ deny: ['mcp:Git*'] }, github, 'denied'],
  [{ deny: ['mcp:GitHub/create_issue'] }, github, 'denied'],
  [{ deny: ['mcp:GitHub/Create_issue'] }, github, null],
  [{ allow: ['mcp:GitHub/create_*'] }, github, null],
  [{ deny: ['mcp:io.github.Acme/Docs'] }, nested, 'denied'],
  [{ deny: ['mcp:io.github.Acme/Docs/search'] }, nested, 'denied'],
  [{ deny: ['mcp:My-Docs'] }, mcp('my-docs', 'search'), 'denied'],
  [{ deny: ['mcp:my-docs'] }, mcp('My Docs', 'search'), 'denied'],
  // The name that the model sees also counts for tools of servers.
  [{ deny: ['mcp_github_*'] }, github, 'denied'],
  // A rule for servers is not passed by a tool whose server is unknown, whichever list it is in.
  [{ deny: ['mcp:github'] }, unknown('mcp_other_tool'), 'unknownServer'],
  [{ allow: ['*', 'mcp:github'] }, unknown('mcp_other_tool'), 'unknownServer'],
  [{ deny: ['mcp_other_tool', 'mcp:github'] }, unknown('mcp_other_tool'), 'denied'],
  [{ deny: ['git_diff'] }, unknown('mcp_other_tool'), null],
  // No tool passes itself off as one of a server by its name.
  [{ allow: ['mcp:github'] }, own('mcp:github'), 'notAllowed'],
];

describe('policy: rules for tools', () => {
  it('deny takes precedence, * matches any ending, and servers are matched by the name that VS Code has', () => {
    for (const [rules, tool, expected] of cases) {
      assert.equal(toolRefusal(rules, tool), expected, `${JSON.stringify(rules)} ${JSON.stringify(tool)}`);
    }
  });
});
