// Loaded with the first of these commands: commands.ts imports it with import().
export { showProvenance } from '../provenance/showProvenance.ts';
export { generateCommitMessage } from './commitMessage.ts';
export { addCommitTrailers } from './commitTrailers.ts';
export { documentCode, editCode, fixProblems, generateTests } from './edit.ts';
