/**
 * The mode of a question: `ask` answers it, `plan` answers with a plan and only reads, `change` also proposes changes of files.
 */
export const modes = ['ask', 'plan', 'change'] as const;
export type Mode = (typeof modes)[number];
