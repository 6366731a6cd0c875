/**
 * Files whose purpose is to hold credentials. In a name, `*` stands for any characters, and case is ignored. A name with a
 * slash also names its folders; with a slash at its end, it stands for every file below.
 */
export interface CredentialFiles {
  readonly names: readonly string[];
  /** Names of files that are published on purpose, which no rule of this entry covers. */
  readonly except?: readonly string[];
  readonly hold: string;
}

/** The table of these files, which `npm run docs` also writes into `docs/privacy.md`. */
export const credentialFiles: readonly CredentialFiles[] = [
  {
    names: [
      '.env',
      '.env*',
      '*.env',
      '*.env.local',
      '*.env.dev',
      '*.env.prod',
      '*.env.production',
      '.envs/',
      '.dev.vars*',
    ],
    except: ['example', 'sample', 'template', 'dist'].flatMap((kind) => [
      ...['.env.', '.env-', '.env_', '.envrc.'].map((start) => start + kind),
      `${kind}.env`,
    ]),
    hold: 'environment variables',
  },
  {
    names: ['*.pem', '*.key', '*.p8', '*.p12', '*.pfx', '*.pkcs12', '*.ppk', '*.keytab', '*.ovpn'],
    hold: 'private keys',
  },
  { names: ['*.jks', '*.jceks', '*.bks', '*.keystore', '*.kdb', '*.kdbx'], hold: 'stores of keys or passwords' },
  {
    names: ['id_rsa*', 'id_dsa*', 'id_ecdsa*', 'id_ed25519*', '.ssh/', '.gnupg/', '.password-store/'],
    except: ['id_*.pub'],
    hold: 'keys of SSH and GnuPG',
  },
  {
    names: ['.netrc', '_netrc', '.git-credentials', '.htpasswd', '.pgpass', 'pgpass.conf', '.my.cnf', '.mylogin.cnf'],
    hold: 'user names and passwords',
  },
  { names: ['passwords.txt', 'passwords.csv', 'password.txt', 'passwd.txt'], hold: 'lists of passwords' },
  {
    names: [
      '.npmrc',
      '.pypirc',
      '.dockercfg',
      '.docker/config.json',
      '.gem/credentials',
      '.cargo/credentials',
      '.cargo/credentials.toml',
    ],
    hold: 'tokens of registries',
  },
  {
    names: ['.composer/auth.json', '.gradle/gradle.properties', '.m2/settings.xml', '.m2/settings-security.xml'],
    hold: 'tokens of build tools',
  },
  {
    names: [
      '.aws/credentials',
      '.azure/accesstokens.json',
      '.azure/msal_token_cache*',
      '.config/gcloud/',
      '.kube/config',
      '*.kubeconfig',
      'kubeconfig',
      '.boto',
      '.s3cfg',
    ],
    hold: 'access to clouds and clusters',
  },
  {
    names: [
      '*accesskeys.csv',
      'rootkey.csv',
      'client_secret*.json',
      'service-account*.json',
      'service_account*.json',
      'serviceaccount*.json',
      '*firebase-adminsdk*.json',
      'application_default_credentials.json',
      'local.settings.json',
    ],
    hold: 'keys that a cloud has issued',
  },
  {
    names: ['.vault-token', '.terraformrc', 'terraform.rc', 'credentials.tfrc.json', '*.tfstate', '*.tfstate.backup'],
    hold: 'tokens and secrets of Terraform and Vault',
  },
  {
    names: ['.config/gh/hosts.yml', '.config/glab-cli/config.yml', '.sentryclirc', '.codex/auth.json'],
    hold: 'tokens of command line tools',
  },
  {
    names: ['credentials', 'secrets', 'secret'].flatMap((name) =>
      ['json', 'yml', 'yaml', 'toml', 'ini', 'properties', 'xml', 'csv', 'txt', 'env'].map((end) => `${name}.${end}`),
    ),
    hold: 'credentials by their name',
  },
  { names: ['.credentials', '.credentials.*', '.secrets', '.secrets.*'], hold: 'credentials by their name' },
];

/** The suffixes that editors and tools append to the name of a copy; a number may follow. */
export const copyEndings: readonly string[] = [
  ...[
    '.bak',
    '.backup',
    '.old',
    '.orig',
    '.save',
    '.copy',
    '.tmp',
    '.temp',
    '.rej',
    '.rpmsave',
    '.rpmnew',
    '.dpkg-old',
    '.lock',
  ],
  ...['~', '#', '.swp', '.swo', '.swn', '.un~', '.kate-swp', '___jb_tmp___', '___jb_old___'],
];
