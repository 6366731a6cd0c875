// The entry of a separate bundle, loaded with the first of these commands.
export { generateCommitMessage } from './commitMessage.ts';
export { documentCode, editCode, fixProblems, generateTests } from './edit.ts';
