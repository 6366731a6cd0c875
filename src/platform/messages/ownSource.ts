/** The source of findings in the Problems panel. In a file of its own: the start needs no more of reviews. */
export const ownSource = 'Svc';
