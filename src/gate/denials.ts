/**
 * Files that hold credentials by their very purpose. No ignore file, setting or person includes them again; whoever
 * needs to ask about one can copy what matters into the message, where secrets are looked for.
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

/** One look for all rules: of a thousand names hardly one has any. */
function anyOf(rules: readonly (readonly [RegExp, string])[]): RegExp {
  return new RegExp(rules.map(([pattern]) => `(?:${pattern.source})`).join('|'));
}

/** The built-in rule that keeps a file from leaving, whatever its case; null where there is none. Any path will do. */
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
