// The entry of a separate bundle, loaded with the first of these commands.
export { showProvenance } from '../provenance/showProvenance.ts';
export { generateCommitMessage } from './commitMessage.ts';
export { addCommitTrailers } from './commitTrailers.ts';
export { documentCode, editCode, fixProblems, generateTests } from './edit.ts';
