import type { TestProject } from 'vitest/node';
import { provideSandbox } from './global-sandbox.ts';

/** Provides a sandbox with the chain of a deployed one. */
export const setup = (project: TestProject) => provideSandbox(project, 'simulated');
