/**
 * Files whose purpose is to hold credentials. No ignore file, setting or user can include them; their
 * text is recognized whatever way it comes (fingerprints/).
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
  // Every place has a folder that begins with a dot.
  const mayBePlace = folder.startsWith('.') || folder.includes('/.');
  for (const name of namesOpenedBy(whole)) {
    if (!anyName.test(name) && !(mayBePlace && anyPlace.test(folder + name))) continue;
    const found =
      names.find(([pattern]) => pattern.test(name)) ?? places.find(([pattern]) => pattern.test(folder + name));
    if (found !== undefined) return found[1];
  }
  return null;
}

/** Windows opens `.env.` and `.env ` as `.env`, and `.env::$DATA` too; elsewhere a colon is part of a name. */
function namesOpenedBy(whole: string): readonly string[] {
  const parts = whole.includes(':') ? [whole, whole.replace(/:.*$/, ''), whole.replace(/^[^:]*:/, '')] : [whole];
  return parts.map((name) => (name.endsWith('.') || name.endsWith(' ') ? name.replace(/[. ]+$/, '') : name));
}
