/**
 * Files whose purpose is to hold credentials. No ignore file, setting or user can include them; a user who needs to ask
 * about one can copy the relevant part into the message, which is scanned for secrets.
 */
const names: readonly (readonly [RegExp, string])[] = [
  [/^\.env$/, '.env'],
  [/^\.env\.(?!(example|sample|template|dist)$).+$/, '.env.*'],
  [
    /\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx|p8)$/,
    '*.pem, *.key, *.p12, *.pfx, *.p8, *.jks, *.keystore, *.ppk, *.kdbx',
  ],
  [/^id_(rsa|dsa|ecdsa|ed25519)(_sk)?(?!.*\.pub$)/, 'id_rsa, id_dsa, id_ecdsa, id_ed25519'],
  [
    /^\.(netrc|npmrc|pypirc|pgpass|htpasswd|git-credentials|dockercfg)$/,
    '.netrc, .npmrc, .pypirc, .pgpass, .htpasswd, .git-credentials, .dockercfg',
  ],
  [/^_netrc$/, '_netrc'],
  [
    /^(credentials|service[-_]?account.*|client_secret.*)\.json$/,
    'credentials.json, service-account*.json, client_secret*.json',
  ],
  [/^secrets?\.(ya?ml|json|toml|ini|properties)$/, 'secrets.yml, .yaml, .json, .toml, .ini, .properties'],
];

const places: readonly (readonly [RegExp, string])[] = [
  [/(^|\/)\.ssh\//, '.ssh/'],
  [/(^|\/)\.gnupg\//, '.gnupg/'],
  [/(^|\/)\.aws\/credentials$/, '.aws/credentials'],
  [/(^|\/)\.docker\/config\.json$/, '.docker/config.json'],
  [/(^|\/)\.kube\/config$/, '.kube/config'],
];

const anyName = anyOf(names);
const anyPlace = anyOf(places);

/** One pattern for all rules: few names match any of them. */
function anyOf(rules: readonly (readonly [RegExp, string])[]): RegExp {
  return new RegExp(rules.map(([pattern]) => `(?:${pattern.source})`).join('|'));
}

/** Returns the built-in rule that keeps a file from leaving, ignoring case; null if there is none. Accepts any path. */
export function builtInDenial(path: string): string | null {
  const folded = path.replaceAll('\\', '/').toLowerCase();
  const folder = folded.slice(0, folded.lastIndexOf('/') + 1);
  const whole = folded.slice(folder.length);
  // Windows opens `.env.` and `.env ` as `.env`, and `.env::$DATA` too; elsewhere a colon is part of a name.
  const candidates = [whole, whole.replace(/:.*$/, ''), whole.replace(/^[^:]*:/, '')].map((name) =>
    name.replace(/[. ]+$/, ''),
  );
  const found = [...new Set(candidates)]
    .filter((name) => anyName.test(name) || anyPlace.test(folder + name))
    .map(
      (name) =>
        names.find(([pattern]) => pattern.test(name)) ?? places.find(([pattern]) => pattern.test(folder + name)),
    )
    .find((rule) => rule !== undefined);
  return found?.[1] ?? null;
}
