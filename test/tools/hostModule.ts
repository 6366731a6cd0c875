import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { pseudo } from './pseudo.ts';

export type Language = 'en' | 'de' | 'pseudo';

const root = join(import.meta.dirname, '../..');

declare global {
  /** Looks up a text for a host module that runs without VS Code. */
  var translateForTest: Readonly<Record<string, (text: string) => string>> | undefined;
}

globalThis.translateForTest = { en: (text) => text, de: germanOf(), pseudo };

const loaded = new Map<string, Promise<unknown>>();

/** Loads a host module of which a test uses what needs VS Code only for its texts, in a language. */
export function hostModule<T>(file: string, language: Language): Promise<T> {
  const name = `${language} ${file}`;
  const known = loaded.get(name) ?? load(file, language);
  loaded.set(name, known);
  return known as Promise<T>;
}

async function load(file: string, language: Language): Promise<unknown> {
  const { outputFiles } = await build({
    entryPoints: [file],
    absWorkingDir: root,
    bundle: true,
    write: false,
    logLevel: 'error',
    format: 'esm',
    platform: 'node',
    plugins: [
      {
        name: 'texts-of-vscode',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^vscode$/ }, () => ({ path: 'vscode', namespace: 'stand-in' }));
          // The classes of errors are those of the test.
          onResolve({ filter: /[\\/](errors|policyError)\.ts$/ }, ({ path, resolveDir }) => ({
            path: pathToFileURL(join(resolveDir, path)).href,
            external: true,
          }));
          onLoad({ filter: /.*/, namespace: 'stand-in' }, () => ({ contents: standIn(language) }));
        },
      },
    ],
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}

/** Looks up a text and inserts the values like VS Code. */
function standIn(language: Language): string {
  return `
    const translate = globalThis.translateForTest.${language};
    const t = (text, ...values) => translate(text).replace(/\\{(\\d)\\}/g, (found, index) => String(values[index] ?? found));
    export const l10n = { t };
    export const env = { language: '${language === 'pseudo' ? 'en' : language}' };
    // Modules read these when they are loaded.
    export const SymbolKind = {};
    export const DiagnosticSeverity = {};
    export class ThemeIcon {}
    export class EventEmitter { event() {} fire() {} }
  `;
}

function germanOf(): (text: string) => string {
  const german: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(join(root, 'l10n/bundle.l10n.de.json'), 'utf8'),
  );
  return (text) => german[text] ?? text;
}
