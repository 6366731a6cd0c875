// npm run publishing: lists what is not set in package.json for publishing. Exit code 1 if there is anything.
import { globSync, readFileSync } from 'node:fs';

/** The publisher in this repository, which does not exist in the Marketplace. */
const placeholder = 'svc';

/** The fields of package.json that a publisher sets. They may have any value. */
export interface PublishedManifest {
  readonly name?: unknown;
  readonly publisher?: unknown;
  readonly private?: unknown;
  readonly repository?: unknown;
  readonly bugs?: unknown;
}

interface Field {
  readonly field: keyof PublishedManifest;
  readonly isSet: (value: unknown) => boolean;
  readonly expected: string;
}

const fields: readonly Field[] = [
  {
    field: 'publisher',
    isSet: (value) => typeof value === 'string' && /^[a-z0-9][a-z0-9-]*$/i.test(value) && value !== placeholder,
    expected: 'the ID of your publisher in the Marketplace',
  },
  {
    field: 'repository',
    isSet: (value) => /^https:\/\/(github|gitlab)\.com\/[^/\s]+\/[^\s]+$/.test(addressIn(value)),
    expected:
      'an https address at github.com or gitlab.com, such as { "type": "git", "url": "https://github.com/OWNER/REPOSITORY.git" }. The pictures and links of README.md need it',
  },
  {
    field: 'bugs',
    isSet: (value) => /^https:\/\/[^/\s]+\/\S+$/.test(addressIn(value)),
    expected: 'an https address for bug reports, such as { "url": "https://github.com/OWNER/REPOSITORY/issues" }',
  },
  {
    field: 'private',
    isSet: (value) => value === undefined || value === false,
    expected: 'absent',
  },
];

/**
 * The fields that are not set for publishing, one line each; empty if all are set. `sources` are files by path that may
 * name the extension by its publisher.
 */
export function notSetForPublishing(
  manifest: PublishedManifest,
  sources: ReadonlyMap<string, string>,
): readonly string[] {
  const wrong = fields.filter(({ field, isSet }) => !isSet(manifest[field]));
  const lines = wrong.map(({ field, expected }) => `${field} is ${shown(manifest[field])}. Expected: ${expected}.`);
  const id = `${manifest.publisher}.${manifest.name}`;
  const naming = [...sources].filter(([, text]) =>
    [...text.matchAll(/\b([\w-]+)\.svc-coder\b/g)].some(([found]) => found !== id),
  );
  return [...lines, ...naming.map(([path]) => `${path} names another extension ID. Expected: ${id}.`)];
}

/** The address of a field that is either text or an object with a `url`. */
function addressIn(value: unknown): string {
  const address = typeof value === 'object' && value !== null && 'url' in value ? value.url : value;
  return typeof address === 'string' ? address.replace(/^git\+/, '') : '';
}

function shown(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value);
}

if (import.meta.main) {
  const paths = globSync('{src,test/integration,test/e2e}/**/*.ts').sort();
  const sources = new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
  const lines = notSetForPublishing(JSON.parse(readFileSync('package.json', 'utf8')), sources);
  for (const line of lines) console.log(line);
  if (lines.length === 0) console.log('package.json is ready for publishing.');
  else process.exitCode = 1;
}
