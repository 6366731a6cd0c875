/** The scheme of the virtual documents that show proposed text. */
export const proposalScheme = 'svc-proposal';
