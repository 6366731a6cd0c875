// Loaded with the first of these commands: commands.ts and createServices.ts import it with import().
export { showProvenance } from '../provenance/showProvenance.ts';
export { generateCommitMessage } from './commitMessage.ts';
export { addCommitTrailers } from './commitTrailers.ts';
export { documentCode, editCode, fixFinding, fixProblems } from './edit.ts';
export { generateCode } from './generate.ts';
export { generateTests } from './generateTests.ts';
