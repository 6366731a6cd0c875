import { parseCommandLine } from './commandLine.ts';
import { demoKey } from './options.ts';
import { startService } from './service.ts';

/** Runs the service until it is interrupted. */
async function main(): Promise<void> {
  const command = parseCommandLine(process.argv.slice(2), process.env);
  if (command.kind === 'print') {
    process.stdout.write(command.text);
    return;
  }
  const service = await startService(command.options);
  process.stdout.write(`The local Svc service is running. It answers by ${command.options.upstream ? `asking ${command.options.upstream.url}` : 'rules, not with a language model'}.

  base URL  ${service.baseUrl}
  API key   ${demoKey}

  curl ${service.baseUrl}/chat/completions -H 'Authorization: Bearer ${demoKey}' \\
    -H 'Content-Type: application/json' -H 'Svc-Security-Level: high' \\
    -d '{"model":"svc/auto","messages":[{"role":"user","content":"Write isPrime in Python"}]}'

Ctrl+C ends it.
`);
  const stop = (): void => void service.close();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
