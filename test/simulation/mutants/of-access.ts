import type { Mutant } from './mutant.ts';

const GRANTS = 'infra/grants.ts';
const ROLES = 'test/infra/grants.test.ts';
const PROOFS = 'test/infra/psp-verify.test.ts';
const WATCH = 'test/functions/payer-watch.test.ts';
const ENDPOINT = 'functions/entry/endpoint.ts';
const PAYMENTS = 'functions/adapters/pix/payments.ts';

/** Mistakes in who may do what: the roles of functions, the keys of partners, and the person who pays. */
export const ACCESS_MUTANTS: readonly Mutant[] = [
  {
    name: 'one purpose for all keys',
    says: 'a role that may open one kind of ciphertext may open every other kind',
    test: ROLES,
    edits: [
      {
        file: GRANTS,
        was: '{ StringEquals: Object.fromEntries(named) }',
        is: '{ StringEquals: Object.fromEntries(named.slice(1)) }',
      },
    ],
  },
  {
    name: 'initiate opens destinations',
    says: 'a function that seals the destination of a payout may open it, too',
    test: ROLES,
    edits: [
      {
        file: GRANTS,
        was: "dataKey(backend, [SEAL], { purpose: 'destination' })",
        is: "dataKey(backend, [SEAL, OPEN], { purpose: 'destination' })",
      },
    ],
  },
  {
    name: 'settlement makes seals',
    says: 'the function that compares the units of a payout may seal others',
    test: ROLES,
    edits: [
      {
        file: GRANTS,
        was: "dataKey(backend, [OPEN], { purpose: 'units' })",
        is: "dataKey(backend, [SEAL, OPEN], { purpose: 'units' })",
      },
    ],
  },
  {
    name: 'callback reads the credentials',
    says: 'the function that a stranger can call holds our key at the provider',
    test: ROLES,
    edits: [
      {
        file: GRANTS,
        was: "pixCallback: ({ secrets }) => secret('pixCallbackSecret', secrets.pixCallback)",
        is: "pixCallback: ({ secrets }) => secret('pixCallbackSecret', secrets.pix)",
      },
    ],
  },
  {
    name: 'unproven key counted',
    says: 'whoever knows the id of a key uses up the rate limit of its partner',
    test: 'test/functions/unproven-keys.test.ts',
    edits: [
      {
        file: ENDPOINT,
        was: '    await limitRate(event, route.scope, await live(GET_NEEDS));\n',
        is: '',
      },
      {
        file: ENDPOINT,
        was: '  const partner = begun(identifyPartner(event, { ...parts, route }, ports));\n',
        is:
          '  Object.assign(event, { partner: { id: parts.partnerId }, keyId: parts.keyId });\n' +
          '  await limitRate(event, route.scope, ports);\n' +
          '  const partner = begun(identifyPartner(event, { ...parts, route }, ports));\n',
      },
    ],
  },
  {
    name: 'refused request not written',
    says: 'a refused request writes no line, and is not counted by its code',
    test: 'test/functions/raised-conditions.test.ts',
    edits: [
      {
        file: ENDPOINT,
        was: '  await finish(request, route);\n}',
        is: '  Object.assign(request.response.headers ?? {}, commonHeaders(request.event, route));\n}',
      },
    ],
  },
  {
    name: 'payer not compared',
    says: 'a payment by a stranger is the payment of the client',
    edits: [
      {
        file: 'functions/steps/confirm-pix-payment.ts',
        was: '  const payer = await ports.pix.findPayer(received, await ownCpf);\n',
        is: "  const payer = (await ownCpf) ? ('MATCH' as const) : ('UNKNOWN' as const);\n",
      },
    ],
  },
  {
    name: 'control of the payer ignored',
    says: 'a provider that shows a payment for every CPF shows it for the client',
    test: 'test/adapters/pix-payments.test.ts',
    edits: [
      { file: PAYMENTS, was: "    if (await ofControl) return 'UNKNOWN';\n", is: '    await ofControl;\n' },
    ],
  },
  {
    name: 'proof of the payer not needed',
    says: 'production makes charges before a stranger was tried',
    test: PROOFS,
    edits: [
      {
        file: 'functions/adapters/pix/payer-proof.ts',
        was: 'if (!isOfAccount || payerProof !== (await payerProofOf(evidenceId, lookup))) return undefined;',
        is: 'if (isOfAccount === undefined) return undefined;',
      },
    ],
  },
  {
    name: 'proof that nobody sealed',
    says: 'the id of a failed test, or an invented one, proves that a stranger was tried',
    test: PROOFS,
    edits: [
      {
        file: 'functions/adapters/pix/payer-proof.ts',
        was: 'if (!isOfAccount || payerProof !== (await payerProofOf(evidenceId, lookup)))',
        is: 'if (!isOfAccount || lookup === undefined)',
      },
    ],
  },
  {
    name: 'proof of another account',
    says: 'the proof of one account at the provider serves for every other',
    test: PROOFS,
    edits: [
      {
        file: 'functions/adapters/pix/payer-proof.ts',
        was: `evidenceId.startsWith(\`\${proofSubject(settings)}#payer#\`)`,
        is: "evidenceId.includes('#payer#')",
      },
    ],
  },
  {
    name: 'provider that says yes is proven',
    says: 'a provider that takes a stranger for the client passes its test',
    test: PROOFS,
    edits: [
      {
        file: 'functions/domain/purchase/payer-proof.ts',
        was: "payer === 'MISMATCH' || payer === 'REFUSED' ?",
        is: "payer !== 'UNKNOWN' ?",
      },
    ],
  },
  {
    name: 'proof that never ends',
    says: 'a test of years ago still proves that the provider notices a stranger',
    test: WATCH,
    edits: [
      {
        file: 'functions/domain/purchase/payer-watch.ts',
        was: 'return now - proof.provenAt > days * DAY_MS ?',
        is: 'return now - proof.provenAt > days * days * DAY_MS ?',
      },
    ],
  },
  {
    name: 'setting that nobody reads',
    says: 'charges go on when the provider has stopped to refuse strangers',
    test: WATCH,
    edits: [
      {
        file: 'functions/domain/purchase/payer-watch.ts',
        was: 'return isOn === false ?',
        is: 'return isOn === null ?',
      },
    ],
  },
  {
    name: 'pause that a charge does not see',
    says: 'a charge reserves tokens though a stranger might pay it',
    test: WATCH,
    edits: [
      {
        file: 'functions/adapters/dynamodb/reservations.ts',
        was: ' AND attribute_not_exists(unproven)',
        is: '',
      },
    ],
  },
];
