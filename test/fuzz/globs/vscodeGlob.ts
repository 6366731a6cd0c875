import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ensureVsCode } from '../../tools/vscodeParts.ts';

/** The glob function of VS Code, as the explorer calls it: with a path relative to the folder, and its last name. */
export type VsCodeGlob = (path: string, basename?: string) => unknown;

/** Parses an expression, which maps globs to booleans. */
export type ParseGlobs = (
  globs: Readonly<Record<string, unknown>>,
  options?: { readonly ignoreCase: boolean },
) => VsCodeGlob;

/**
 * Returns the function that the installed VS Code has for `files.exclude`, taken from its extension host. Nothing is
 * exported there, so the text of the module is cut out of the bundle, and evaluated with the few functions that it calls.
 */
export async function vscodeGlobs(): Promise<ParseGlobs> {
  const { serverMain } = await ensureVsCode();
  const bundle = readFileSync(
    join(serverMain, '..', 'vs', 'workbench', 'api', 'node', 'extensionHostProcess.js'),
    'utf8',
  );
  const start = /var [\w$]+="\*\*",[\w$]+="\/",/.exec(bundle)?.index ?? -1;
  if (start === -1) throw new Error('the module of globs is not in the extension host');
  // It ends before the function that compares two lists of patterns.
  const rest = bundle.slice(start);
  const end = /function [\w$]+\([\w$]+,[\w$]+\)\{return [\w$]+\([\w$]+,[\w$]+,\([\w$]+,[\w$]+\)=>typeof/.exec(
    rest,
  )?.index;
  const module = rest.slice(0, end);
  const parse = group(/\?!1:([\w$]+)\([\w$]+,[\w$]+\)\([\w$]+\)\}/, module);
  const cache = group(/=new ([\w$]+)\(1e4\)/, module);
  const separator = group(/\.replace\([\w$]+,([\w$]+)\)/, module);
  const paths = group(/===([\w$]+)\.sep/, module);
  const platform = group(/ignoreCase\?\?!([\w$]+)\)/, module);
  const given = [cache, separator, paths, platform];
  const called = new Set([...module.matchAll(/(?<![\w$.])([\w$]+)\(/g)].map(([, name = '']) => name));
  called.add(group(/equals:[\w$]+\?([\w$]+):/, module));
  called.add(group(/endsWith:[\w$]+\?([\w$]+):/, module));
  const functions = functionsOf(bundle, [...called], module);
  const evaluate = new Function(...given, `${functions}\n${module}\nreturn ${parse};`);
  return evaluate(NoCache, '/', posix, true) as ParseGlobs;
}

/** A million patterns would only fill it. */
class NoCache {
  get(): undefined {
    return undefined;
  }
  set(): void {
    // Nothing is kept.
  }
}

function group(pattern: RegExp, text: string): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`${pattern} is not in VS Code's module of globs`);
  return found;
}

/** The functions with these names, and those that they call, except the ones that are in `module`. */
function functionsOf(bundle: string, names: readonly string[], module: string): string {
  const found = new Map<string, string>();
  const wanted = [...names];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (found.has(name) || module.includes(`function ${name}(`)) continue;
    const at = bundle.indexOf(`function ${name}(`);
    if (at === -1) continue;
    const text = functionAt(bundle, at);
    found.set(name, text);
    for (const [, called = ''] of text.matchAll(/(?<![\w$.])([\w$]+)\(/g)) wanted.push(called);
  }
  return [...found.values()].join('\n');
}

/** It ends at the first brace with which the text is a function. */
function functionAt(bundle: string, start: number): string {
  for (let end = bundle.indexOf('}', start); end !== -1; end = bundle.indexOf('}', end + 1)) {
    const text = bundle.slice(start, end + 1);
    try {
      new Function(text);
      return text;
    } catch {
      // More braces follow.
    }
  }
  throw new Error('the function has no end');
}
