/** The panel's name in package.json. */
export const chatViewId = 'svc.chat';
