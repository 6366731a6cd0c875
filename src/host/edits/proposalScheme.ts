/** Of the virtual documents that show what a proposal would make of a file. */
export const proposalScheme = 'svc-proposal';
