/** Whether a file is an example, which is published (the rule for `.env*` allows it, too), or a license. */
export function isPublic(name: string): boolean {
  return /[._-](?:example|sample|template|dist)$|^(?:licen[cs]e|copying|notice)\b/i.test(name);
}

/** The sizes of RSA moduli in bytes, each with the minimum size of a private key, which varies by a few bytes. */
const rsaSizes = [
  [128, 598],
  [256, 1182],
  [384, 1756],
  [512, 2338],
] as const;

/** The beginnings of RSA keys in PKCS #8, in base64 (RFC 5208 and RFC 8017). */
function rsaBeginnings(): readonly string[] {
  const long = (tag: number, length: number): readonly number[] => [tag, 0x82, length >> 8, length & 255];
  const algorithm = [0x30, 0x0d, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 5, 0];
  return rsaSizes.flatMap(([modulus, minSize]) =>
    Array.from({ length: 16 }, (_, more) => {
      const size = minSize + more;
      const inner = [
        ...long(0x30, size),
        2,
        1,
        0,
        ...(modulus < 256 ? [2, 0x81, modulus + 1] : long(2, modulus + 1)),
        0,
      ];
      const bytes = [...long(0x30, size + 26), 2, 1, 0, ...algorithm, ...long(4, size + 4), ...inner];
      return Buffer.from(bytes)
        .toString('base64')
        .slice(0, Math.floor((bytes.length * 8) / 6));
    }),
  );
}

/**
 * The text that all keys, certificates and service accounts of a kind have in common. A test generates a key of each kind, and
 * compares. A word is split if a scanner for secrets would mistake it for a secret.
 */
export const constants: readonly string[] = [
  // Alphabets of encodings, in any order of their parts
  'abcdefghijklmnopqrstuvwxyz 0123456789 abcdefghijklmnopqrstuvwxyz abcdefghijklmnopqrstuvwxyz 0123456789 0123456789',
  // PEM and OpenSSH: each label, without and with its dashes.
  ...['', 'RSA ', 'EC ', 'DSA ', 'ENCRYPTED ', 'OPENSSH '].flatMap((kind) =>
    [`-----BEGIN ${kind}PRIVATE`, `-----END ${kind}PRIVATE`].map((start) => `${start} KEY-----`),
  ),
  ...[
    'CERTIFICATE',
    'CERTIFICATE REQUEST',
    'PUBLIC KEY',
    'RSA PUBLIC KEY',
    'EC PARAMETERS',
    'PGP PRIVATE KEY BLOCK',
  ].flatMap((kind) => [`-----BEGIN ${kind}-----`, `-----END ${kind}-----`]),
  'Proc-Type: 4,ENCRYPTED DEK-Info: AES-256-CBC, DEK-Info: AES-128-CBC, DEK-Info: DES-EDE3-CBC,',
  'PuTTY-User-Key-File-3: ssh-rsa Encryption: none Comment: imported-openssh-key Public-Lines: Private-Lines: Private-MAC: Key-Derivation: Argon2id',
  // The beginnings of DER: versions, algorithms and lengths.
  ...rsaBeginnings(),
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg',
  'MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDD',
  'MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEI',
  'MC4CAQAwBQYDK2VwBCIEI',
  'MIIFLTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQI',
  'MIIFHDBOBgkqhkiG9w0BBQ0wQTApBgkqhkiG9w0BBQwwHAQI',
  'MIIJKAIBAAKCAgEA',
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA',
  'MIICIjANBgkqhkiG9w0BAQEFAAOCAg8AMIICCgKCAgEA',
  'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZWQyNTUxOQAAACA',
  'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABFwAAAAdzc2gtcnNhAAAAAwEAAQAAAQEA',
  'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABlwAAAAdzc2gtcnNhAAAAAwEAAQAAAYEA',
  'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAACFwAAAAdzc2gtcnNhAAAAAwEAAQAAAgEA',
  'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAaAAAABNlY2RzYS1zaGEyLW5pc3RwMjU2AAAACG5pc3RwMjU2AAAAQQQ',
  'b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAAB',
  // Service accounts, and the constant parts of their files.
  '"type": "service_account", "project_id": "private_key_id": "private_key": "client_email": "client_id":',
  // Addresses without dots, because only letters and digits count.
  '"auth_uri": "https accounts google com o oauth2 auth", "token_uri": "https oauth2 googleapis com token",',
  '"token_uri": "https accounts google com o oauth2 token", "redirect_uris": ["urn ietf wg oauth 2.0 oob", "http localhost"]',
  '"auth_provider_x509_cert_url": "https www googleapis com oauth2 v1 certs", "universe_domain": "googleapis com"',
  '"client_x509_cert_url": "https www googleapis com robot v1 metadata x509',
  '.iam gserviceaccount com',
  'registry = https registry npmjs org',
  'registry npmjs org _authToken',
  'https npm pkg github com _authToken',
  'apiVersion: v1 kind: Secret metadata: name: namespace: type: Opaque data: stringData:',
  'apiVersion: v1 kind: Config clusters: - cluster: certificate-authority-data: server: https 127 0 0 1 6443 contexts: - context: cluster: user: current-context: preferences: {} users: - name: user: client-certificate-data: client-key-data:',
  '[distutils] index-servers = pypi testpypi [pypi] username = __token__ password = repository = https upload pypi org legacy',
  'aws_access_key_id = aws_secret_access_key = aws_session_token =',
  '{"auths": {"https index docker io v1": {"auth": "',
];
