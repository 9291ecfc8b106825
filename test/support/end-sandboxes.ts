import type { Reporter, TestModule, TestSpecification } from 'vitest/node';
import type { ChainKind } from './decisions.ts';

/**
 * A sandbox that test files share. `projects` are the names of the projects that use it. `end` tells it to end, and
 * does not wait for it.
 */
export type RunningSandbox = { projects: Set<string>; end: () => void };

/** The runner loads its modules once for each of its projects. All of them share this object. */
const here = globalThis as { runningSandboxes?: Map<ChainKind, RunningSandbox> };

export function runningSandboxes(): Map<ChainKind, RunningSandbox> {
  here.runningSandboxes ??= new Map();
  return here.runningSandboxes;
}

/**
 * Ends a sandbox as soon as the last file of its projects has ended. Until the end of the run, an idle one would take a
 * fifth of a core from the other tests.
 */
export class EndSandboxes implements Reporter {
  private readonly unfinished = new Map<string, number>();

  onTestRunStart(files: readonly TestSpecification[]): void {
    for (const { project } of files) this.count(project.name, 1);
  }

  onTestModuleEnd({ project }: TestModule): void {
    this.count(project.name, -1);
    if (this.unfinished.has(project.name)) return;
    for (const { projects, end } of runningSandboxes().values())
      if (![...projects].some((name) => this.unfinished.has(name))) end();
  }

  private count(name: string, more: number): void {
    const count = (this.unfinished.get(name) ?? 0) + more;
    if (count > 0) this.unfinished.set(name, count);
    else this.unfinished.delete(name);
  }
}
