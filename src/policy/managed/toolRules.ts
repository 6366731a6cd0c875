import type { ToolApproval } from '../toolApproval.ts';
import { listOf, objectIn, oneOf, unknownKey, wrong } from './fileValues.ts';

/** The number of calls after which a turn is stopped. The policy can only lower it. */
export const maxToolCalls = 60;

/** The tools that a model may call, and how: lists of `name`, `mcp:server` and `mcp:server/tool`, each of which may end in `*`. */
export interface ToolRules {
  /** Without this list, every tool that is not denied is allowed. */
  readonly allow?: readonly string[];
  /** The lists of other policies, each of which must allow a tool, too. */
  readonly alsoAllow?: readonly (readonly string[])[];
  /** Takes precedence over `allow`. */
  readonly deny?: readonly string[];
  readonly approval?: ToolApproval;
  readonly maxCalls?: number;
}

/** The names of a tool that the rules are compared with. */
export interface RuledTool {
  readonly name: string;
  /** The MCP server that offers the tool, null if no server does, or `unknown` if VS Code does not name the server. */
  readonly mcp: McpName | null | 'unknown';
}

interface McpName {
  readonly server: string;
  /** The name of the tool at its server. */
  readonly tool: string;
}

/**
 * The reasons why a tool is forbidden. `unknownServer` means that a rule names servers, but VS Code does not name the tool's
 * server.
 */
export type ToolRefusal = 'denied' | 'notAllowed' | 'unknownServer';

export function toolRulesIn(value: unknown, where: string): ToolRules {
  const { allow, deny, approval, maxCalls, ...others } = objectIn(value, where);
  const known = ['allow', 'deny', 'approval', 'maxCalls'];
  for (const name of Object.keys(others)) throw unknownKey(`${where}.${name}`, known);
  return {
    ...(allow === undefined ? {} : { allow: listOf(patternIn)(allow, `${where}.allow`) }),
    ...(deny === undefined ? {} : { deny: listOf(patternIn, true)(deny, `${where}.deny`) }),
    ...(approval === undefined ? {} : { approval: approvalIn(approval, `${where}.approval`) }),
    ...(maxCalls === undefined ? {} : { maxCalls: callsIn(maxCalls, `${where}.maxCalls`) }),
  };
}

/** `reads` is no constraint: only the user can ask for it. */
const approvalIn = oneOf(['conversation', 'each']);

function callsIn(value: unknown, where: string): number {
  if (Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= maxToolCalls) return Number(value);
  throw wrong(where, value, { kind: 'number', isWhole: true, minimum: 1, maximum: maxToolCalls });
}

const mcpPrefix = 'mcp:';
/**
 * The pattern of tool names in rules: only tools with such names can be offered. The name of a server can have any characters.
 */
const namePattern = /^(?:[A-Za-z0-9_-]{1,64}\*?|\*)$/;
const mcpPattern = /^mcp:(?:[^\s*]{1,200}\*?|\*)$/;

function patternIn(value: unknown, where: string): string {
  if (typeof value === 'string' && (namePattern.test(value) || mcpPattern.test(value))) return value;
  throw wrong(where, value, { kind: 'toolPattern' });
}

/** Returns the reason why the rules forbid a tool, or null if they allow it. */
export function toolRefusal(rules: ToolRules, tool: RuledTool): ToolRefusal | null {
  const { deny = [] } = rules;
  const lists = allowLists(rules);
  if (deny.some((pattern) => matches(pattern, tool))) return 'denied';
  const namesServers = [...deny, ...lists.flat()].some((pattern) => pattern.startsWith(mcpPrefix));
  if (namesServers && tool.mcp === 'unknown') return 'unknownServer';
  return lists.every((list) => list.some((pattern) => matches(pattern, tool))) ? null : 'notAllowed';
}

function allowLists({ allow, alsoAllow = [] }: ToolRules): readonly (readonly string[])[] {
  return allow === undefined ? alsoAllow : [allow, ...alsoAllow];
}

/** Returns rules that allow what both allow. */
export function allowedByBoth(one: ToolRules, other: ToolRules): Pick<ToolRules, 'allow' | 'alsoAllow'> {
  const lists = new Map([one, other].flatMap(allowLists).map((list) => [JSON.stringify(list), list]));
  const [allow, ...alsoAllow] = lists.values();
  return { ...(allow === undefined ? {} : { allow }), ...(alsoAllow.length === 0 ? {} : { alsoAllow }) };
}

function matches(pattern: string, { name, mcp }: RuledTool): boolean {
  if (!pattern.startsWith(mcpPrefix)) return fits(pattern, name);
  if (mcp === null || mcp === 'unknown') return false;
  const rest = pattern.slice(mcpPrefix.length);
  const server = serverName(mcp.server);
  // The name of a server may itself contain a slash.
  return fits(serverName(rest), server) || fits(rest.replace(/^.*(?=\/)/, serverName), `${server}/${mcp.tool}`);
}

/** The name of a server as VS Code gives it to extensions; the configuration can have it in another case, and with spaces. */
function serverName(configured: string): string {
  return configured.toLowerCase().replace(/\s+/g, '-');
}

function fits(pattern: string, text: string): boolean {
  return pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}
