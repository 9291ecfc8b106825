import type { ListEntry } from '../../functions/adapters/lists/entry.ts';
import { type PolicyChanges, policyOf } from '../../functions/domain/acts/act-policy.ts';
import type { Role } from '../../functions/domain/acts/act-rules.ts';
import type { PersonBlock } from '../../functions/domain/kyc/person-block.ts';
import type { Flags } from '../../operations/command.ts';
import { commandsOf } from '../../operations/commands.ts';
import type { Desk } from '../../operations/desk.ts';
import { run } from '../../operations/run.ts';
import type { ArchiveHolds } from '../../operations/stores/archive-holds.ts';
import { promiseSums } from '../../operations/stores/promise-sums.ts';
import { memoryBucket } from './archive.ts';
import { aBlock } from './blocked-person.ts';
import { tablesWithRights } from './command-rights.ts';
import { openPorts } from './ports.ts';
import { archiveOf } from './review-cases.ts';
import { randomCpf } from './sandbox.ts';
import { memoryTables, type Tables } from './tables.ts';
import { treasuryDesk } from './treasury-desk.ts';

const REASON = 'mistaken identity';

/** How an operator calls. `meanwhile` happens before the operator confirms. */
type Calling = {
  role?: Role;
  flags?: Flags;
  typed?: string;
  tables?: Tables;
  meanwhile?: () => Promise<unknown>;
};

type Answered = { out: string; refusal?: string };

/** Runs operators' commands on tables in memory, with production's rules about who may do which act. */
export function actWorld(changes: PolicyChanges = {}) {
  const listed: ListEntry[] = [];
  const tables = memoryTables();
  const ports = openPorts(tables);
  /** The versions of archived objects with a legal hold. */
  const legallyHeld = new Set<string>();
  const archiveHolds: ArchiveHolds = {
    async mark({ key, versionId }, status) {
      const version = `${key}?${versionId}`;
      if (status === 'ON') legallyHeld.add(version);
      else legallyHeld.delete(version);
      return true;
    },
  };

  /** Runs the command of one person. Returns its output, or the words of its refusal. */
  async function ops(name: string, words: string, calling: Calling = {}): Promise<string> {
    const { out, refusal } = await call(name, words, calling);
    return refusal ?? out;
  }

  /** Runs the command of one person. Returns what it prints on the standard output, and why it refused. */
  async function call(name: string, words: string, calling: Calling = {}): Promise<Answered> {
    const { role = 'compliance', flags = {}, meanwhile = async () => undefined } = calling;
    const said: string[] = [];
    const note = (line: string) => said.push(line);
    const ask = async (question: string) => {
      if (question.startsWith('CPF')) return calling.typed ?? '';
      await meanwhile();
      return 'yes';
    };
    const [first = '', second = '', ...rest] = words.split(' ').filter(Boolean);
    const command = (await commandsOf(first)).find(({ name: own }) => own === `${first} ${second}`.trim())!;
    const given = { words: rest, flags: { reason: REASON, ...flags }, ask };
    const watched = tablesWithRights(
      calling.tables ?? tables,
      (await approvedBy(command.name, rest)) ?? command.name,
    );
    const desk = deskOf(name, role, watched);
    const terminal = { say: note, tell: () => undefined, ask };
    const isSure = calling.meanwhile === undefined;
    return run(command, given, { desk, terminal, call: { reason: String(given.flags.reason), isSure } }).then(
      () => ({ out: said.join('\n') }),
      (error: Error) => {
        if (['Refused', 'Misused'].includes(error.name))
          return { out: said.join('\n'), refusal: error.message };
        throw error;
      },
    );
  }

  /** The command that `acts approve` carries out. */
  async function approvedBy(command: string, [id = '']: readonly string[]): Promise<string | undefined> {
    if (command !== 'acts approve') return undefined;
    const first = (await ports.acts.findAct(id))?.events[0];
    return first?.kind === 'PROPOSED' ? first.call.command : undefined;
  }

  function deskOf(name: string, role: Role, own: Tables = tables): Desk {
    const roleName = `AWSReservedSSO_Onramp${role[0]!.toUpperCase()}${role.slice(1)}_0123456789abcdef`;
    const arn = `arn:aws:sts::000000000000:assumed-role/${roleName}/${name}`;
    const policy = policyOf('production', changes);
    const listArchive = archiveOf(listed);
    const executions = { findExecution: async () => undefined };
    // All operators share the clock and the data keys of the world.
    const { clock, vault, totpSealer } = ports;
    const visits = { findVisit: async () => undefined };
    const archiveReader = memoryBucket(ports.clock.now);
    const { client, names } = own;
    const limits = ports.promiseLimits;
    const sums = promiseSums({ client, table: names.promises, limits });
    const lent = {
      promiseSums: sums,
      executions,
      visits,
      archiveReader,
      listArchive,
      archiveHolds,
      clock,
      vault,
      totpSealer,
    };
    const parts = { ...openPorts(own), ...treasuryDesk(own), ...lent };
    return { ...parts, caller: { findArn: async () => arn }, policy } as unknown as Desk;
  }

  async function blocked(): Promise<PersonBlock> {
    return ports.personBlocks.block(await aBlock(ports, randomCpf()));
  }

  /** The id of a proposal to lift the block. */
  async function proposed({ id }: PersonBlock, by = 'ana'): Promise<string> {
    const said = await ops(by, `fraud lift ${id}`, { role: 'operator' });
    return said.split('\n')[0]!;
  }

  return {
    tables,
    ports,
    legallyHeld,
    /** The entries of the lists in force. */
    listed,
    ops,
    call,
    blocked,
    proposed,
    find: ({ id }: PersonBlock) => ports.personBlocks.findBlock(id),
    kindsOf: async (act: string) => (await ports.acts.findAct(act))?.events.map(({ kind }) => kind),
  };
}
