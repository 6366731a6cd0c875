import { readFileSync } from 'node:fs';

/**
 * The peak memory of this process (bytes, resident). On Linux, `maxRSS` starts with the memory of the process that started this
 * one, because a fork shares it until the program is loaded; `VmHWM` in the kernel's status file does not.
 * @returns {number}
 */
export function peakMemory() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  if (peak === undefined) throw new Error('/proc/self/status has no VmHWM');
  return Number(peak) * 1024;
}
