import type { OwnText } from '../../../../session/tools/ownText.ts';

/** A tool's refusal, for the model and the user. `rule` is the rule that excludes the file, as text of the workspace. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
  readonly words: OwnText;
  readonly rule: string | undefined;

  constructor(words: OwnText, rule?: string) {
    super(words);
    this.words = words;
    this.rule = rule;
  }
}
