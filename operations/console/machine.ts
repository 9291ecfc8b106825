/** The states of the machine and the moves that its definition allows. */
import definition from '../../statemachines/onramp.asl.json' with { type: 'json' };

type Branch = { Next: string };
type DefinitionRead = {
  StartAt: string;
  States: Record<
    string,
    { Type: string; Comment?: string; Next?: string; End?: boolean; Choices?: Branch[]; Catch?: Branch[] }
  >;
};

export type StateDrawn = { name: string; type: string; about: string; isEnd: boolean };
/** `isCatch`: only an error causes this move. */
export type MachineMove = { from: string; to: string; isCatch: boolean };
export type MachineDrawn = { states: StateDrawn[]; moves: MachineMove[] };

/** Reads the states in the order of the file, which is the order in which a purchase goes through them. */
export function machineOf({ States }: DefinitionRead): MachineDrawn {
  const all = Object.entries(States);
  return {
    states: all.map(([name, { Type: type, Comment: about = '', End }]) => {
      return { name, type, about, isEnd: End === true || type === 'Succeed' };
    }),
    moves: all.flatMap(([from, { Next, Choices = [], Catch = [] }]) => [
      ...movesTo(from, [...(Next ? [Next] : []), ...Choices.map((each) => each.Next)], false),
      ...movesTo(
        from,
        Catch.map((each) => each.Next),
        true,
      ),
    ]),
  };
}

/** The moves from one state to its next states. Several branches to the same state count as one move. */
const movesTo = (from: string, targets: string[], isCatch: boolean): MachineMove[] =>
  [...new Set(targets)].map((to) => ({ from, to, isCatch }));

export const MACHINE = machineOf(definition);
