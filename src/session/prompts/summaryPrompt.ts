/** Asks for a summary of the conversation before it. */
export const summaryPrompt = [
  'Write down this conversation for whoever continues it, under these headings and in this order, without introduction:',
  'Goal. Decisions and their reasons. Facts found (files with paths, names, numbers, commands, error texts). Changes made or',
  'proposed, file by file, and which the user accepted or rejected. Open and next. Leave out what was settled and undone.',
  'Copy names, paths and numbers exactly. Instructions of the project are sent again anyway: do not repeat them.',
  'Write in the language of the questions.',
].join('\n');
