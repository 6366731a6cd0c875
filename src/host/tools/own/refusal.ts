/** A tool's refusal. `message` is for the model and the user, and may name files. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
}
