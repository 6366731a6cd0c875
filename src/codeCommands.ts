// This module is loaded with the first of these commands: commands.ts and createServices.ts import it with import().

export { generateCommitMessage } from './features/edits/vscode/commands/commitMessage.ts';
export { documentCode, editCode, fixFinding, fixProblems } from './features/edits/vscode/commands/edit.ts';
export { generateCode } from './features/edits/vscode/commands/generate.ts';
export { generateTests } from './features/edits/vscode/commands/generateTests.ts';
export { addCommitTrailers } from './features/provenance/vscode/commitTrailers.ts';
export { showProvenance } from './features/provenance/vscode/showProvenance.ts';
