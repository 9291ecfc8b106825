/** `known` is for the next visit of this process. */
type Turn<Claimed, Known> = { claimed: Claimed; known?: Known };
type Work<Claimed, Known> = (known?: Known) => Promise<Turn<Claimed, Known>>;
type InTurn<Claimed, Known> = (work: Work<Claimed, Known>) => Promise<Turn<Claimed, Known>>;

/**
 * Concurrent visits of one process would compete for the rows of the wallets. Here they go one by one, and each hands
 * the state of the wallets to the next. Between processes the write alone decides.
 */
export function turns<Claimed, Known>(): InTurn<Claimed, Known> {
  let last: Promise<Known | undefined> = Promise.resolve(undefined);
  let ahead = 0;
  return (work) => {
    const mine = ahead > 0 ? last.then(work) : work();
    ahead++;
    const leave = () => void ahead--;
    mine.then(leave, leave);
    last = mine.then(
      ({ known }) => known,
      () => undefined,
    );
    return mine;
  };
}
