/** A link that may be opened, once the user has agreed. */
export interface LinkTarget {
  /** The whole address in ASCII, as the URL standard writes it. */
  readonly href: string;
  /** Where it goes: the host with its port, or the address of the mail. */
  readonly place: string;
}

/** The longest name that DNS knows. */
const longestHost = 253;

/** One address, with no character that is encoded: what it stands for depends on who decodes it. */
const mailAddress = /^[\w.+-]+@[a-z\d]([a-z\d.-]*[a-z\d])?$/i;
const mailFields: ReadonlySet<string> = new Set(['subject', 'body']);

/**
 * Where a link of an answer really goes, or undefined where it must stay plain text. Only web and mail addresses are
 * links. A relative address is none: the page it would be relative to is ours. Nor is one with a user name or a password,
 * which are written where a reader looks for the host.
 */
export function linkTarget(link: string): LinkTarget | undefined {
  const url = URL.parse(link);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  const { protocol, href } = url;
  if (protocol === 'mailto:') return isPlainMail(url) ? { href, place: url.pathname } : undefined;
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  // VS Code encodes the brackets of an IPv6 address, and the browser then finds no host.
  if (url.hostname.startsWith('[') || url.hostname.length > longestHost) return undefined;
  return { href, place: url.host };
}

/** To one address that can be shown, without fields that add a reader or attach a file. */
function isPlainMail({ pathname, search, searchParams }: URL): boolean {
  // VS Code decodes the fields before it opens the address: an encoded & would begin another one, as would a line end in
  // the header that a mail program makes of one.
  return (
    mailAddress.test(pathname) &&
    !/%(26|0a|0d)/i.test(search) &&
    [...searchParams.keys()].every((key) => mailFields.has(key))
  );
}
