import { isTargetOf } from './target.ts';

/** The number of tokens that a model reads, as far as it is known. */
interface ContextWindow {
  readonly tokens: number;
  /** Whether svc.context.windows sets it, or it was learned from the service. */
  readonly from: 'setting' | 'service';
}

/** A request that the service refused as too long was sent again, shorter. */
export interface SentAgain {
  /** The tokens that the model reads, as far as it is known. */
  readonly window?: number;
  /** The window that svc.context.windows declares, if the model reads less. */
  readonly declared?: number;
}

/** The windows that services have shown. Kept in memory only: numbers, no content. */
export class LearnedWindows {
  readonly #learned = new Map<string, { readonly tokens: number; readonly despite: number | null }>();

  learn(target: string, model: string, declared: readonly string[], tokens: number): void {
    this.#learned.set(target, { tokens, despite: declaredWindow(model, declared) });
  }

  /** Forgets the windows of a model, at each address. */
  forget(model: string): void {
    for (const target of this.#learned.keys()) if (isTargetOf(target, model)) this.#learned.delete(target);
  }

  /**
   * Returns the window of a model, or null if it is unknown. The user's setting applies, unless the service has since shown that
   * the window is smaller.
   */
  of(target: string, model: string, declared: readonly string[]): ContextWindow | null {
    const learned = this.#learned.get(target);
    const set = declaredWindow(model, declared);
    if (set !== null && (learned === undefined || set <= learned.tokens || set !== learned.despite)) {
      return { tokens: set, from: 'setting' };
    }
    return learned === undefined ? null : { tokens: learned.tokens, from: 'service' };
  }
}

/** The number that the setting has for a model: an exact name counts before a pattern, a longer pattern before a shorter one. */
export function declaredWindow(model: string, declared: readonly string[]): number | null {
  let best: { readonly name: string; readonly tokens: number } | null = null;
  for (const entry of declared) {
    const [name = '', digits = ''] = entry.split(/=(?=[^=]*$)/);
    const isMatch = name.endsWith('*') ? model.startsWith(name.slice(0, -1)) : model === name;
    if (!isMatch) continue;
    if (name === model) return Number(digits);
    if (best === null || name.length > best.name.length) best = { name, tokens: Number(digits) };
  }
  return best?.tokens ?? null;
}
