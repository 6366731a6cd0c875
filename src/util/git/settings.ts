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

/**
 * Returns settings that replace a repository's own settings for filters, hooks and remotes. The user's settings for all
 * repositories stay. `listed` is the output of `git config -z --list --show-scope`. Throws an Error for a name that cannot be
 * passed to git this way.
 */
export function settingsAgainst(listed: string): readonly (readonly [key: string, value: string])[] {
  const entries = entriesIn(listed);
  const isRepository = ({ scope }: Entry): boolean => scope === 'local' || scope === 'worktree';
  const keys = new Set(entries.filter((entry) => isRepository(entry) && named.test(entry.key)).map(({ key }) => key));
  return [...keys].map((key) => {
    if (/[=\n]/.test(key)) throw new Error(`The repository has a setting with an unusual name: ${key.slice(0, 100)}`);
    const ofUser = entries.findLast((entry) => entry.key === key && !isRepository(entry) && entry.scope !== 'command');
    const off = /\.(?:required|enabled|promisor)$/.test(key) ? 'false' : '';
    return [key, ofUser?.value ?? off];
  });
}

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
