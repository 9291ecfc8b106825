/**
 * The result of one claim. `known` has the wallets' rows as this claim has left them, and the next claim of this
 * process starts from them.
 */
type Turn<Claimed, Known> = { claimed: Claimed; known?: Known };
type Work<Claimed, Known> = (known?: Known) => Promise<Turn<Claimed, Known>>;
type InTurn<Claimed, Known> = (work: Work<Claimed, Known>) => Promise<Turn<Claimed, Known>>;

/**
 * Runs the claims of one process one after the other, and passes the wallets' state from each to the next. In parallel
 * they would compete for the same wallet rows. Between processes only the conditional write decides.
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
