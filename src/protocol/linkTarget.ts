/** A link that may be opened after the user has agreed. */
export interface LinkTarget {
  /** The complete address in ASCII, as the URL standard serializes it. */
  readonly href: string;
  /** The destination: the host with its port, or the mail address. */
  readonly place: string;
}

/** The maximum length in characters of a host name in DNS. */
const maxHostLength = 253;

/** A single mail address without percent-encoded characters, whose meaning depends on the program that decodes them. */
const mailAddress = /^[\w.+-]+@[a-z\d]([a-z\d.-]*[a-z\d])?$/i;
const mailFields: ReadonlySet<string> = new Set(['subject', 'body']);

/**
 * Returns the real destination of a link in an answer, or undefined if it must stay plain text. Only web and mail addresses
 * become links. Relative addresses do not: they would be relative to our own page. Addresses with a user name or a password do
 * not, either, because these are where a reader looks for the host.
 */
export function linkTarget(link: string): LinkTarget | undefined {
  const url = URL.parse(link);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  const { protocol, href } = url;
  if (protocol === 'mailto:') return isPlainMail(url) ? { href, place: url.pathname } : undefined;
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  // VS Code encodes the brackets of an IPv6 address, and the browser then finds no host.
  if (url.hostname.startsWith('[') || url.hostname.length > maxHostLength) return undefined;
  return { href, place: url.host };
}

/** Whether a link is a mail to one displayable address, without fields that add a recipient or attach a file. */
function isPlainMail({ pathname, search, searchParams }: URL): boolean {
  // VS Code decodes the fields before it opens the address: an encoded & would start another field, and a line break would start
  // another header in a mail program.
  return (
    mailAddress.test(pathname) &&
    !/%(26|0a|0d)/i.test(search) &&
    [...searchParams.keys()].every((key) => mailFields.has(key))
  );
}
