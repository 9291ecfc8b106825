import { readdirSync, readFileSync } from 'node:fs';

/** Ticks per second in `/proc/<pid>/stat`. Linux fixes this number. */
const TICKS = 100;

export type Cpu = Record<string, number>;
export type Figure = {
  name: string;
  transfers: number;
  seconds: number;
  cpu: Cpu;
  /** The number of calls to DynamoDB by operation, and of calls to the chain's node by method. */
  calls?: { database?: Map<string, number>; node?: Map<string, number> };
};

export const rateOf = ({ transfers, seconds }: Pick<Figure, 'transfers' | 'seconds'>) => transfers / seconds;

/**
 * Compares a figure with the results of `blast` before and after it. The faster of these results is the
 * ceiling. A busy moment of the machine therefore never improves the ratio.
 */
export function ratios(figure: Figure, blasts: Figure[], awaited: Figure) {
  const ceiling = Math.max(...blasts.map(rateOf));
  return { ofBlast: rateOf(figure) / ceiling, timesAwaited: rateOf(figure) / rateOf(awaited) };
}

/**
 * Returns the CPU seconds until now: of this process with its threads, and of each child process by name.
 * Without `/proc` the children are missing.
 */
export function readCpu(): Cpu {
  const { user, system } = process.cpuUsage();
  return { ours: (user + system) / 1e6, ...readChildren() };
}

function readChildren(): Cpu {
  const found: Cpu = {};
  const parents = new Map<number, { parent: number; name: string; seconds: number }>();
  for (const pid of listProcesses()) {
    const stat = readStat(pid);
    if (stat) parents.set(pid, stat);
  }
  const isOurs = (pid: number): boolean => {
    const known = parents.get(pid);
    return pid === process.pid || (known !== undefined && isOurs(known.parent));
  };
  for (const { parent, name, seconds } of parents.values()) {
    if (isOurs(parent)) found[name] = (found[name] ?? 0) + seconds;
  }
  return found;
}

function listProcesses(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function readStat(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { name, parent: Number(rest[1]), seconds: (Number(rest[11]) + Number(rest[12])) / TICKS };
  } catch {
    // The process ended between the listing and this read.
    return undefined;
  }
}

export async function measure(
  name: string,
  transfers: number,
  run: () => Promise<Figure['calls'] | undefined>,
): Promise<Figure> {
  const before = readCpu();
  const startedAt = performance.now();
  const calls = await run();
  const seconds = (performance.now() - startedAt) / 1000;
  const after = readCpu();
  const cpu = Object.fromEntries(
    Object.entries(after).map(([process, spent]) => [process, spent - (before[process] ?? 0)]),
  );
  return { name, transfers, seconds, cpu, ...(calls && { calls }) };
}

export function printed(figure: Figure): string {
  const { name, transfers, seconds, cpu, calls } = figure;
  const each = Object.entries(cpu).filter(([, spent]) => spent >= 0.01);
  const spent = each.map(([process, total]) => `${process} ${((1000 * total) / transfers).toFixed(2)}`);
  const lines = [
    `${name.padEnd(40)} ${rateOf(figure).toFixed(1).padStart(6)} transfers/s  ` +
      `(${transfers} in ${seconds.toFixed(1)} s)`,
    `  CPU ms per transfer: ${spent.join(', ')}`,
  ];
  if (calls?.node) lines.push(`  calls of the node per transfer: ${perTransfer(calls.node, transfers)}`);
  if (calls?.database) {
    lines.push(`  calls of DynamoDB per transfer: ${perTransfer(calls.database, transfers)}`);
  }
  return lines.join('\n');
}

function perTransfer(calls: Map<string, number>, transfers: number): string {
  const total = [...calls.values()].reduce((sum, count) => sum + count, 0);
  const each = [...calls].sort(([, a], [, b]) => b - a);
  const named = each.map(([name, count]) => `${name} ${(count / transfers).toFixed(2)}`);
  return `${(total / transfers).toFixed(1)} (${named.join(', ')})`;
}
