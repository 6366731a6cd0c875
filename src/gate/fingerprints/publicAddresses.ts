/** Hosts on which public modules are published. Any other host may belong to a company or a person. */
export const moduleHosts: ReadonlySet<string> = new Set([
  ...['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'git.sr.ht', 'raw.githubusercontent.com'],
  // Go
  ...['golang.org', 'google.golang.org', 'cloud.google.com', 'gopkg.in', 'go.uber.org', 'k8s.io', 'sigs.k8s.io'],
  ...['go.opentelemetry.io', 'go.etcd.io', 'go.mongodb.org', 'go.temporal.io', 'go.starlark.net', 'go.opencensus.io'],
  ...['modernc.org', 'honnef.co', 'gorm.io', 'gonum.org', 'go4.org', 'entgo.io', 'filippo.io', 'rsc.io', 'mvdan.cc'],
  ...['buf.build', 'connectrpc.com', 'dario.cat', 'nhooyr.io', 'tailscale.com', 'cuelang.org', 'oras.land', 'helm.sh'],
  ...['istio.io', 'knative.dev', 'gotest.tools', 'gioui.org', 'fyne.io', 'lukechampine.com', 'storj.io', 'gocloud.dev'],
  // JavaScript
  ...[
    'deno.land',
    'esm.sh',
    'esm.run',
    'jsr.io',
    'unpkg.com',
    'cdn.jsdelivr.net',
    'cdn.skypack.dev',
    'cdnjs.cloudflare.com',
  ],
  ...['fonts.googleapis.com'],
]);

const scheme = /^(?:node|npm|jsr|bun|package|dart|virtual|sass|pkg):\/?/;
const web = /^https?:\/\//;
/** A path without `:`, `=`, `%` and `&`: there is no port, no user and no parameter. */
const path = /^[\w@#.+-]+(?:\/[\w@.+-]+)*\/?(?:\?\w{1,20})?$/;
const host = /^[\w-]+(?:\.[\w-]+)+$/;

/**
 * Whether the address of an import may also occur in unrelated files: a name, a relative path, or an address at a host for
 * modules may. An absolute path or an address at any other host identifies its file.
 */
export function isPublicAddress(address: string): boolean {
  const isWeb = web.test(address);
  const rest = address.replace(isWeb ? web : scheme, '');
  if (!path.test(rest)) return false;
  const [first = '', ...below] = rest.split('/');
  const isHost = isWeb || (below.length > 0 && host.test(first));
  return !isHost || moduleHosts.has(first.toLowerCase());
}
