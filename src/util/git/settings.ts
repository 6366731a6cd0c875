/**
 * Settings that start programs, open a connection, or change what git prints, each with a harmless value. They take precedence
 * over every file of settings. A test has a repository that names a program in each of them.
 */
export const quietSettings: Readonly<Record<string, string>> = {
  // Settings that start programs.
  'core.fsmonitor': 'false',
  // Git knows this name on every system.
  'core.hooksPath': '/dev/null',
  'core.sshCommand': 'false',
  'core.askPass': '',
  'core.alternateRefsCommand': 'false',
  'core.editor': 'false',
  'credential.helper': '',
  'diff.external': '',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  // This URI is fetched without one of git's own protocols.
  'fetch.bundleURI': '',
  // Settings that change the output.
  'color.ui': 'false',
  'core.quotePath': 'false',
  'status.relativePaths': 'false',
  'grep.fullName': 'false',
  'grep.fallbackToNoIndex': 'false',
  'diff.relative': 'false',
  'diff.orderFile': '/dev/null',
  'log.showSignature': 'false',
  'i18n.logOutputEncoding': 'utf-8',
  'submodule.recurse': 'false',
};

/** Commands that neither convert files of the working tree nor change references, and therefore start no program. */
export const plainCommands: ReadonlySet<string> = new Set(
  'version config var rev-parse rev-list cat-file ls-files grep blame diff-tree ls-tree'.split(' '),
);

interface Entry {
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

/** A setting of a filter, a hook or a remote, whose name the repository chooses. */
const named =
  /^(?:(filter)\..*\.(?:clean|smudge|process|required)|(diff)\..*\.(?:command|textconv)|(hook)\..*\.(?:command|event|enabled)|(remote)\..*\.(?:promisor|vcs))$/s;

/** A setting of Git LFS that names a program. Git LFS runs as a filter of the user, and reads the settings of the repository. */
const ofLfs = /^lfs\.(?:extension|customtransfer)\.|^lfs\.(?:.*\.)?standalonetransferagent$/s;

/**
 * Returns settings that replace a repository's own settings for filters, hooks and remotes. The user's settings for all
 * repositories stay, but no filter runs if the repository names a program for Git LFS. `listed` is the output of
 * `git config -z --list --show-scope`. Throws an Error for a name or a value that cannot be passed to git this way.
 */
export function settingsAgainst(listed: Buffer): readonly (readonly [key: string, value: string])[] {
  const entries = entriesIn(listed.toString('latin1'));
  const own = entries.filter(({ scope }) => scope === 'local' || scope === 'worktree');
  const others = entries.filter(({ scope }) => scope !== 'local' && scope !== 'worktree' && scope !== 'command');
  const hasLfs = own.some(({ key }) => ofLfs.test(key));
  const replaced = hasLfs ? [...own, ...others.filter(({ key }) => key.startsWith('filter.'))] : own;
  const keys = new Set(replaced.filter(({ key }) => named.test(key)).map(({ key }) => key));
  return [...keys].map((key) => {
    const ofUser = others.findLast((entry) => entry.key === key);
    const off = /\.(?:required|enabled|promisor)$/.test(key) ? 'false' : '';
    const isOff = hasLfs && key.startsWith('filter.');
    return [written(key, key), isOff ? off : written(ofUser?.value ?? off, key)];
  });
}

/** The text of bytes that Node passes to git unchanged. A key must not end before its end either. */
function written(bytes: string, key: string): string {
  const text = Buffer.from(bytes, 'latin1').toString();
  if (Buffer.from(text).toString('latin1') !== bytes || (bytes === key && /[=\n]/.test(key))) {
    throw new Error(`The repository has a setting with an unusual name: ${JSON.stringify(key.slice(0, 100))}`);
  }
  return text;
}

/** `listed` has a character for each byte, because the name of a filter can be any bytes. */
function entriesIn(listed: string): readonly Entry[] {
  const words = listed.split('\0');
  const entries: Entry[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [scope = '', entry = ''] = [words[at], words[at + 1]];
    const end = entry.indexOf('\n');
    entries.push({
      scope,
      key: end === -1 ? entry : entry.slice(0, end),
      value: end === -1 ? 'true' : entry.slice(end + 1),
    });
  }
  return entries;
}
