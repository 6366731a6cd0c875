// Loaded with `--import`: when the process ends, prints what it used, its start included.
import { peakMemory } from '../../tools/peakMemory.mjs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  console.error(JSON.stringify({ seconds: (user + system) / 1e6, mib: peakMemory() / 1024 / 1024 }));
});
