import { readdirSync, readFileSync } from 'node:fs';

/**
 * The clock ticks per second in `/proc`, which `getconf CLK_TCK` prints. It is 100 on the usual builds of
 * Linux.
 */
const TICKS_PER_SECOND = 100;
const KIB_PER_MB = 1000 ** 2 / 1024;

type Stat = { pid: number; parent: number; cpuTicks: number };

/** CPU time (user and system) and memory (PSS) of a process and all its descendants. Works only on Linux. */
export function usageOf(root: number): { cpuSeconds: number; megabytes: number } {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat !== undefined);
  const tree = treeOf(root, all);
  const ticks = tree.reduce((sum, { cpuTicks }) => sum + cpuTicks, 0);
  const kib = tree.reduce((sum, { pid }) => sum + pssKibOf(pid), 0);
  return { cpuSeconds: ticks / TICKS_PER_SECOND, megabytes: kib / KIB_PER_MB };
}

function treeOf(root: number, all: readonly Stat[]): Stat[] {
  const own = all.filter(({ pid }) => pid === root);
  return [...own, ...all.filter(({ parent }) => parent === root).flatMap(({ pid }) => treeOf(pid, all))];
}

/**
 * In `/proc/<pid>/stat`, the fields after the process name are `state ppid …` (`man 5 proc_pid_stat`). The
 * name may contain any character, so the fields begin after the last bracket.
 */
function statOf(pid: number): Stat | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // These four fields are the CPU ticks in user and system mode: of the process, and of its children that
  // have ended.
  const cpuTicks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), cpuTicks };
}

function pssKibOf(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0);
}

/** Returns undefined if the process has ended meanwhile. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
