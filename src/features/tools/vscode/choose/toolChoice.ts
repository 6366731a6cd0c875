import { canBeOffered } from '../givenTool.ts';
import type { OwnTool } from '../own/tool.ts';

/** A tool of VS Code, an extension or an MCP server, as it describes itself. */
export interface PresentTool {
  readonly name: string;
  /** The provider of the tool, for display. */
  readonly source: string;
  readonly description: string;
  /** The estimated size of its definition, which each request contains. */
  readonly tokens: number;
}

/** The settings and the existing tools at one moment. */
export interface ToolFacts {
  /** The reason why the user cannot turn tools on, for display; empty if they can. */
  readonly locked: string;
  readonly isEnabled: boolean;
  /** Our tools, by their names. */
  readonly own: ReadonlyMap<string, OwnTool>;
  readonly present: readonly PresentTool[];
  /** The user's own lists. */
  readonly allowed: readonly string[];
  readonly disabled: readonly string[];
  /** The tools that another scope disables, each with the reason for display. */
  readonly disabledElsewhere: ReadonlyMap<string, string>;
}

/** A line of the list; `id` is unique. */
export type ToolRow =
  /** A heading above our tools, above the tools of a source, or above the allowed tools that are not available now. */
  | { readonly kind: 'group'; readonly id: string; readonly of: 'own' | 'source' | 'absent'; readonly source: string }
  | typeof theSwitch
  | { readonly kind: 'own'; readonly id: string; readonly name: string; readonly tool: OwnTool }
  | { readonly kind: 'other'; readonly id: string; readonly name: string };

const theSwitch = { kind: 'switch', id: 'switch' } as const;

export type Choosable = Exclude<ToolRow, { readonly kind: 'group' }>;

/**
 * The reason why a row cannot be chosen: everything is locked, another scope disables the tool, or its name cannot be
 * sent.
 */
type RowLock = { readonly by: 'all' | 'name' } | { readonly by: 'scope'; readonly reason: string };

export interface SettingChange {
  readonly key: 'svc.tools.enabled' | 'svc.tools.allowed' | 'svc.tools.disabled';
  readonly value: boolean | readonly string[] | undefined;
}

/**
 * The list of tools while the user chooses. It contains only what the user has changed; everything else follows the
 * settings, which may change at the same time. VS Code reports a selection by position, so rows never move or
 * disappear: new tools are added at the end.
 */
export class ToolChoice {
  #facts: ToolFacts;
  readonly #rows: ToolRow[] = [];
  readonly #wanted = new Map<string, boolean>();

  constructor(facts: ToolFacts) {
    this.#facts = facts;
    this.#rows.push(theSwitch, { kind: 'group', id: 'group:own', of: 'own', source: '' });
    for (const [name, tool] of facts.own) this.#rows.push({ kind: 'own', id: `own:${name}`, name, tool });
    this.#append();
  }

  get facts(): ToolFacts {
    return this.#facts;
  }

  get rows(): readonly ToolRow[] {
    return this.#rows;
  }

  update(facts: ToolFacts): void {
    this.#facts = facts;
    this.#append();
  }

  /** Whether tools have appeared or disappeared. */
  isOutdated(now: readonly Pick<PresentTool, 'name'>[]): boolean {
    const { present } = this.#facts;
    return now.length !== present.length || now.some(({ name }, index) => name !== present[index]?.name);
  }

  lockOf(row: Choosable): RowLock | null {
    const { locked, disabledElsewhere } = this.#facts;
    if (locked !== '') return { by: 'all' };
    if (row.kind === 'switch') return null;
    const reason = disabledElsewhere.get(row.name);
    if (reason !== undefined) return { by: 'scope', reason };
    return row.kind === 'own' || canBeOffered(row.name, this.#facts.own) ? null : { by: 'name' };
  }

  /** Whether tools are on. */
  get isOn(): boolean {
    return this.#isWanted(theSwitch);
  }

  /**
   * Whether the model may call a tool. While tools are off, no tool is checked, because VS Code counts the checked
   * ones.
   */
  isChecked(row: Choosable): boolean {
    return this.isOn && this.#isWanted(row);
  }

  /** Applies the selection of rows. Turning on a tool turns on tools in general. */
  select(ids: ReadonlySet<string>): void {
    const changed = this.#choosable.filter(
      (row) => this.lockOf(row) === null && this.isChecked(row) !== ids.has(row.id),
    );
    for (const row of changed) this.#want(row, ids.has(row.id));
    if (changed.some((row) => row.kind !== 'switch' && ids.has(row.id))) this.#want(theSwitch, true);
  }

  /** The changes to write into the user's own settings: only what the user has changed, and sees in the list. */
  get changes(): readonly SettingChange[] {
    const { allowed, disabled, isEnabled } = this.#facts;
    const nowAllowed = new Set(allowed);
    const nowDisabled = new Set(disabled);
    for (const row of this.#choosable) {
      if (row.kind === 'switch' || !this.isOn || !this.#wanted.has(row.id) || this.lockOf(row) !== null) continue;
      const isOn = this.#isWanted(row);
      if (isOn) nowDisabled.delete(row.name);
      else if (row.kind === 'own') nowDisabled.add(row.name);
      if (row.kind === 'other' && isOn) nowAllowed.add(row.name);
      if (row.kind === 'other' && !isOn) nowAllowed.delete(row.name);
    }
    const isOn = this.lockOf(theSwitch) === null ? this.isOn : isEnabled;
    return [
      ...(isOn === isEnabled ? [] : [{ key: 'svc.tools.enabled' as const, value: isOn }]),
      ...changeOf('svc.tools.allowed', allowed, nowAllowed),
      ...changeOf('svc.tools.disabled', disabled, nowDisabled),
    ];
  }

  get #choosable(): readonly Choosable[] {
    return this.#rows.filter((row) => row.kind !== 'group');
  }

  #isWanted(row: Choosable): boolean {
    return this.lockOf(row) === null && (this.#wanted.get(row.id) ?? this.#isSet(row));
  }

  #want(row: Choosable, isOn: boolean): void {
    if (isOn === this.#isSet(row)) this.#wanted.delete(row.id);
    else this.#wanted.set(row.id, isOn);
  }

  #isSet(row: Choosable): boolean {
    const { isEnabled, allowed, disabled } = this.#facts;
    if (row.kind === 'switch') return isEnabled;
    return !disabled.includes(row.name) && (row.kind === 'own' || allowed.includes(row.name));
  }

  /** Adds the tools that have no row yet, by source; the allowed tools that are not available now come last. */
  #append(): void {
    const known = new Set(this.#rows.map(({ id }) => id));
    const { present, allowed } = this.#facts;
    const presentNames = new Set(present.map(({ name }) => name));
    const found = [...present].sort((a, b) => compare(a.source, b.source) || compare(a.name, b.name));
    const absent = allowed.filter((name) => !presentNames.has(name)).map((name) => ({ name, source: null }));
    let last: string | null | undefined;
    for (const { name, source } of [...found, ...absent]) {
      const id = `other:${name}`;
      if (known.has(id)) continue;
      known.add(id);
      if (source !== last) {
        const of = source === null ? 'absent' : 'source';
        this.#rows.push({ kind: 'group', id: `group:${this.#rows.length}`, of, source: source ?? '' });
      }
      last = source;
      this.#rows.push({ kind: 'other', id, name });
    }
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the change of a list, if any. An empty list is removed from the settings. */
function changeOf(
  key: SettingChange['key'],
  before: readonly string[],
  after: ReadonlySet<string>,
): readonly SettingChange[] {
  const isSame = new Set(before).size === after.size && before.every((name) => after.has(name));
  return isSame ? [] : [{ key, value: after.size === 0 ? undefined : [...after] }];
}
