/** Subtypes of `application` that are text although their names do not show it. */
const textTypes = new Set([
  ...['json', 'xml', 'yaml', 'x-yaml', 'toml', 'x-ndjson', 'jsonl', 'json-lines', 'javascript', 'ecmascript'],
  ...['typescript', 'sql', 'graphql', 'x-sh', 'x-httpd-php', 'rtf', 'x-www-form-urlencoded', 'csv', 'markdown'],
]);

/** Returns the text of data with a media type, or null if that is not a type of text. */
export function textOfData(mediaType: string, data: unknown): string | null {
  if (!(data instanceof Uint8Array)) return null;
  const [type = '', ...parameters] = mediaType.split(';').map((part) => part.trim().toLowerCase());
  if (!isText(type)) return null;
  const charset = parameters.find((part) => part.startsWith('charset='))?.slice('charset='.length);
  return decoded(data, charset?.replaceAll('"', ''));
}

function isText(type: string): boolean {
  const [first = '', second = ''] = type.split('/');
  return first === 'text' || /\+(?:json|xml|yaml)$/.test(second) || (first === 'application' && textTypes.has(second));
}

function decoded(data: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset).decode(data);
  } catch {
    // Data with an unknown charset is read as UTF-8.
    return new TextDecoder().decode(data);
  }
}

/** Returns the placeholder that tells the model about a part of a tool result that is not text. */
export function placeholderFor(mediaType: string, data: unknown): string {
  const size = data instanceof Uint8Array ? `, ${data.byteLength} bytes` : '';
  return `[left out: ${oneLine(mediaType)}${size}. Only text can be sent.]`;
}

/** Cleans up a media type, which comes from another program. */
function oneLine(mediaType: string): string {
  return mediaType.replaceAll(/[^\w.+/;= -]/g, '').slice(0, 100) || 'data';
}
