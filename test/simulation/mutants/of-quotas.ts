import type { Mutant } from './mutant.ts';

const STORE = 'functions/adapters/dynamodb/registry-quotas.ts';
const LOOK_UPS = 'functions/logic/kyc/registry-quota.ts';
const OF_SUBMISSIONS = 'test/functions/registry-quota.test.ts';
const OWED = 'test/functions/registry-quota-owed.test.ts';

/** Mistakes in the quota of paid look-ups. The simulation submits no client. */
export const QUOTA_MUTANTS: readonly Mutant[] = [
  {
    name: 'look-ups not bounded',
    says: 'the look-ups of a partner are counted and never refused',
    test: OF_SUBMISSIONS,
    edits: [{ file: STORE, was: '    most: maximum - count,\n', is: '' }],
  },
  {
    name: 'submissions not refused',
    says: 'a submission beyond the quota asks the registries',
    test: OF_SUBMISSIONS,
    edits: [
      {
        file: LOOK_UPS,
        was: "  if (counted !== 'COUNTED') refuseLookUps({ day, maximum, ...counted }, now);\n",
        is: '  if (maximum < 0) refuseLookUps({ day, maximum, used: 0 }, now);\n',
      },
    ],
  },
  {
    name: 'a company counted once',
    says: 'a submission with a CNPJ asks two registries and counts one look-up',
    test: OF_SUBMISSIONS,
    edits: [{ file: LOOK_UPS, was: "personType === 'PJ' && cnpj !== undefined ? 2 : 1", is: '1' }],
  },
  {
    name: 'quota of another day',
    says: 'the quota begins anew at midnight of UTC',
    test: OF_SUBMISSIONS,
    edits: [
      {
        file: LOOK_UPS,
        was: '  const day = dayInBrasilia(now);\n',
        is: '  const day = new Date(now).toISOString().slice(0, 10);\n',
      },
    ],
  },
  {
    name: 'owed looks not counted',
    says: 'a later look at a PENDING record costs nothing of the quota',
    test: OWED,
    edits: [
      {
        file: 'functions/logic/kyc/review-pending.ts',
        was: '{ ...ports, ...countedRegistries(client.partnerId, ports) }',
        is: 'ports',
      },
    ],
  },
  {
    name: 'owed looks not bounded',
    says: 'a later look beyond the quota asks the registries',
    test: OWED,
    edits: [
      {
        file: LOOK_UPS,
        was: "  if (counted !== 'COUNTED') throw new Unavailable('the quota of paid look-ups');\n",
        is: '',
      },
    ],
  },
  {
    name: 'look after a face not counted',
    says: 'the look-up after a face costs nothing of the quota',
    test: 'test/functions/review-liveness-holder.test.ts',
    edits: [
      {
        file: 'functions/logic/purchase/liveness.ts',
        was: 'owedLookUp(partnerId, () => ports.cpfRegistry.findCpf(cpf), ports)',
        is: 'ports.cpfRegistry.findCpf(cpf)',
      },
    ],
  },
  {
    name: 'nothing left to owed looks',
    says: 'submissions may use up the whole quota',
    test: OWED,
    edits: [
      {
        file: 'functions/domain/partners/registry-quota.ts',
        was: 'perDay - Math.floor(perDay / OWED_SHARE)',
        is: 'perDay + 0 * OWED_SHARE',
      },
    ],
  },
  {
    name: 'outages counted',
    says: 'a registry that does not answer uses up the quota',
    test: OWED,
    edits: [
      {
        file: LOOK_UPS,
        was: '    if (error instanceof Unavailable) await ports.registryQuotas.giveBack(lookUp);\n',
        is: '',
      },
    ],
  },
];
