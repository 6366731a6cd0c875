import type { ChatClient } from '../../client/chatStream.ts';
import type { RequestContext } from '../../gate/admit.ts';
import type { Connection } from '../../policy/connection.ts';
import type { Logger } from '../../util/logger.ts';
import type { Attachment } from '../conversation/attachment.ts';
import type { AuditTrail } from './audit.ts';
import type { Outgoing } from './outgoing.ts';
import type { SecretScanner } from './secretScanner.ts';

/** What the door out is made of. */
export interface DispatchParts {
  /** As they are now: what has to be read for them is read each time. */
  readonly requestContext: (outgoing: Outgoing) => RequestContext | Promise<RequestContext>;
  /** Why an attachment may not leave (a rule and where it stands), null where it may. */
  readonly exclusion: (attachment: Attachment) => Promise<string | null>;
  readonly scanner: () => Promise<SecretScanner>;
  readonly apiKey: (connection: Connection) => Promise<string | undefined>;
  /** Such as `svc-coder/1.2.3`. */
  readonly userAgent: string;
  readonly audit: AuditTrail;
  readonly logger: Logger;
  readonly chatClient: () => Promise<ChatClient>;
}
