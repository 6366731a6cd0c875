import * as vscode from 'vscode';
import type { NamedText, Starter, Starters } from '../../../../protocol/starter.ts';

const t = vscode.l10n.t;

/** The slash commands that are offered. */
export const starterNames = ['explain', 'tests', 'review'] as const;
export type StarterName = (typeof starterNames)[number];

/** The content of the active editor that a question can be about. */
export type Subject =
  /** `name` is the last part of `path`, which a selection continues with its lines. */
  { readonly is: 'file' | 'selection'; readonly name: string; readonly path: string } | Unusable;

type Unusable =
  | { readonly is: 'none' }
  | { readonly is: 'excluded'; readonly path: string; readonly rule: string }
  | { readonly is: 'too-large'; readonly path: string };

/** The offered questions; `idOf` names them. Those that an administrator has disabled are not in `names`. */
export function describeStarters(
  subject: Subject,
  names: readonly StarterName[],
  idOf: (name: StarterName) => string,
): Starters {
  if (!('name' in subject)) return { items: [], hint: whyNone(subject) };
  const items = names.map((name): Starter => {
    const text = subject.is === 'file' ? fileLabel(name) : selectionLabel(name);
    return { id: idOf(name), label: { text, names: [subject.name] }, icon: icons[name] };
  });
  const hint =
    items.length === 0
      ? { text: t('Type @ to add context.'), names: [] }
      : { text: t('A suggestion sends {0}. Type @ to add other context.', '{0}'), names: [subject.path] };
  return { items, hint };
}

function whyNone(subject: Unusable): NamedText {
  switch (subject.is) {
    case 'none':
      return { text: t('Open a file with code to get suggestions, or type @ to add context.'), names: [] };
    case 'excluded':
      return {
        text: t('{0} is not sent: it is excluded by {1}. Open another file to get suggestions.', '{0}', '{1}'),
        names: [subject.path, subject.rule],
      };
    case 'too-large':
      return {
        text: t('{0} is too large to send. Select a part of it to get suggestions.', '{0}'),
        names: [subject.path],
      };
  }
}

function fileLabel(name: StarterName): string {
  switch (name) {
    case 'explain':
      return t('Explain {0}', '{0}');
    case 'tests':
      return t('Write tests for {0}', '{0}');
    case 'review':
      return t('Review {0}', '{0}');
  }
}

function selectionLabel(name: StarterName): string {
  switch (name) {
    case 'explain':
      return t('Explain the selection in {0}', '{0}');
    case 'tests':
      return t('Write tests for the selection in {0}', '{0}');
    case 'review':
      return t('Review the selection in {0}', '{0}');
  }
}

const icons: Readonly<Record<StarterName, string>> = {
  explain: 'lightbulb-sparkle',
  tests: 'beaker',
  review: 'search',
};
