/** The id of the panel in package.json. */
export const chatViewId = 'svc.chat';
