// verify.mjs: verifies audit logs without the extension, a secret or a network.
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { asciiJson } from '../line.ts';
import type { VerifyOptions } from '../verify/part.ts';
import { verifyEvidence } from '../verify/verify.ts';
import { cosign, newKey } from './cosign.ts';
import { explain } from './explain.ts';
import { gitIn } from './git.ts';
import { checkProofFile, prove } from './prove.ts';
import { ascii, readCheckpoints, readPolicy, readSeen, stop } from './usage.ts';
import { exitCodeOf, printVerdict } from './words.ts';

const help = `Verifies audit logs of Svc Coder, without a network.

  node verify.mjs [options] PATH...
      Verifies folders of a log, unpacked bundles, or files.
  node verify.mjs explain [options] FILE:LINE|COMMIT|RANGE PATH...
      Prints from which requests lines of a git repository (the current folder, or --repository) are.
  node verify.mjs prove [options] SESSION:NUMBER PATH...
      Prints a proof of one record of an intact log (C2SP tlog-proof).
  node verify.mjs check --trusted-keys FILE PROOF RECORD
      Checks a proof of a record, in a file of one line.
  node verify.mjs cosign --key FILE --state FILE [options] PATH...
      Prints the last checkpoint of each ledger with a second signature, if all is intact.
      --state keeps what was signed. "cosign --new-key NAME" prints a key, and its public part to stderr.

Options:
  --trusted-keys FILE
                     the keys that you trust (C2SP tlog-policy)
  --seen FILE        text whose lines end in "<origin> <size> <root>", such as: git log --format=%B
  --checkpoint FILE  a checkpoint that you kept
  --collected        lines of a collector: in any order, in any files
  --grace MINUTES    with --collected: younger lines may still come (15)
  --repository DIR   compares the notes of a git repository (refs/notes/ai). Runs git
  --json             prints the result as JSON

--seen and --checkpoint may be repeated.

Exit code: 0 intact and trusted, 1 broken, 2 nothing usable, 3 intact but not trusted.
`;

const accepted = {
  'trusted-keys': { type: 'string' },
  seen: { type: 'string', multiple: true, default: [] as string[] },
  checkpoint: { type: 'string', multiple: true, default: [] as string[] },
  collected: { type: 'boolean', default: false },
  grace: { type: 'string', default: '15' },
  repository: { type: 'string' },
  json: { type: 'boolean' },
  key: { type: 'string' },
  state: { type: 'string' },
  'new-key': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

function print(text: string): void {
  process.stdout.write(text);
}

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options: accepted, allowPositionals: true });
  if (values.help) {
    print(help);
    return 0;
  }
  const trustedKeys = values['trusted-keys'];
  const [command = '', ...rest] = positionals;
  if (command === 'check') {
    const [proof = '', record = ''] = rest;
    if (rest.length !== 2) stop('check takes PROOF and RECORD.');
    return await checkProofFile({ trustedKeys, proof, record }, print);
  }
  if (command === 'cosign' && values['new-key'] !== undefined) {
    const { secret, vkey } = newKey(values['new-key']);
    print(`${secret}\n`);
    process.stderr.write(`${vkey}\n`);
    return 0;
  }
  const common: Omit<VerifyOptions, 'paths'> = {
    policy: await readPolicy(trustedKeys),
    seen: await readSeen(values.seen),
    checkpoints: await readCheckpoints(values.checkpoint),
    isCollected: values.collected,
    grace: minutes(values.grace),
  };
  if (command === 'explain') {
    const asked = { target: rest[0] ?? '', folder: values.repository ?? '.', json: values.json ? json : null };
    return await explain({ ...common, paths: pathsOf(rest.slice(1)) }, asked, print);
  }
  if (command === 'prove') return await prove({ ...common, paths: pathsOf(rest.slice(1)) }, rest[0] ?? '', print);
  if (command === 'cosign') {
    const { key, state } = values;
    if (key === undefined || state === undefined) stop('cosign needs --key and --state.');
    return await cosign({ ...common, paths: pathsOf(rest) }, { key, state }, print);
  }
  const git = values.repository === undefined ? {} : { git: await gitIn(values.repository) };
  const verdict = await verifyEvidence({ ...common, ...git, paths: pathsOf(positionals) });
  if (!values.json) return printVerdict(verdict, common, print);
  const exitCode = exitCodeOf(verdict);
  print(json({ ...verdict, exitCode }));
  return exitCode;
}

function pathsOf(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) stop('Which log? See --help.');
  return paths;
}

function minutes(text: string): number {
  if (!/^\d{1,6}$/.test(text)) stop('--grace takes minutes.');
  return Number(text) * 60_000;
}

/** A value as JSON lines in printable ASCII. */
function json(value: object): string {
  return `${asciiJson(JSON.stringify(value, null, 2))}\n`;
}

// The objects for a line are soon garbage. By default, V8 would let 100 MiB of it accumulate, and be no faster.
setFlagsFromString('--semi-space-growth-factor=1');

/** Reports an error. The message of an error of the system or of the command line names the file or the option. */
function fail(error: unknown): void {
  process.stderr.write(`${ascii((error as Error).message)}\n`);
  process.exitCode = 2;
}

// A program that reads the output may need only the beginning of it, such as `grep -q`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => error.code === 'EPIPE' || fail(error));

try {
  const code = await run(process.argv.slice(2));
  process.exitCode ??= code;
} catch (error) {
  fail(error);
}
