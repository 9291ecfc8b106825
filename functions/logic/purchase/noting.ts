import type { Needs } from '../../domain/ports.ts';
import { isOpen } from '../../domain/purchase/status.ts';
import { type ObstacleWork, obstacleIn } from '../../domain/purchase/story-obstacles.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';

type NotedObstacle = { work: ObstacleWork; transaction: Transaction };
type Ports = Needs<readonly ['transactions', 'clock']>;

/**
 * Does work that no step of the state machine does. If a provider does not answer, the purchase's row says so, and
 * `tx show` names the cause: docs/decisions.md, "Facts that partners learn". The next success removes it.
 */
export async function noting<Answer>(
  noted: NotedObstacle,
  ports: Ports,
  run: () => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await run();
    await keepObstacle(noted, undefined, ports);
    return answer;
  } catch (error) {
    const found = obstacleIn(error);
    if (found) await keepObstacle(noted, found, ports);
    throw error;
  }
}

/** Never fails, because the caller must get the outcome of the work. */
async function keepObstacle(
  { work, transaction }: NotedObstacle,
  found: ReturnType<typeof obstacleIn>,
  ports: Ports,
) {
  const { id, status, obstacle } = transaction;
  const former = obstacle?.step === work && obstacle.status === status ? obstacle : undefined;
  if (!isOpen(status) || (!found && !former)) return;
  const { since, times } =
    former?.message === found?.message && former ? former : { since: ports.clock.now(), times: 0 };
  const next = found && { ...found, step: work, status, since, times: times + 1 };
  await ports.transactions.noteObstacle(id, status, next).catch(() => undefined);
}
