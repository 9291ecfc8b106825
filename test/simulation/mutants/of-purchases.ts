import type { Mutant } from './mutant.ts';

const STORE = 'functions/adapters/dynamodb/transactions.ts';
const CALLBACK = 'functions/logic/purchase/receive-payment.ts';
const KYC = 'functions/adapters/dynamodb/kyc-records.ts';
const ONE_PIX = 'test/functions/one-pix-once.test.ts';
const CONFIRM = 'functions/steps/confirm-pix-payment.ts';

/** Mistakes around the payment: status, events, waits, charges and codes. */
export const PURCHASE_MUTANTS: readonly Mutant[] = [
  {
    name: 'receipt of each row',
    says: 'the posting of a received Pix is named after the purchase, so one Pix has two receipts',
    edits: [
      {
        file: 'functions/domain/purchase/postings.ts',
        was: "'clients'));\n  const postings = [{ ...receipt, id: receivedId(endToEndId) }];\n",
        is: "'clients'));\n  const postings = [receipt];\n",
      },
    ],
    test: ONE_PIX,
  },
  {
    name: 'returns of one answer',
    says: 'a refund is less the returns that the Pix shows, whatever its charge shows',
    edits: [
      {
        file: 'functions/logic/money/taken-back.ts',
        was: 'mergedReturns(charged?.returns, received?.returns)',
        is: 'received?.returns ?? []',
      },
    ],
    test: ONE_PIX,
  },
  {
    name: 'charge believed alone',
    says: 'the charge says how much was paid, and the Pix may say something else',
    edits: [{ file: CONFIRM, was: '  requireAgreed(received, shown, transaction);\n', is: '' }],
    test: ONE_PIX,
  },
  {
    name: 'resume of the wrong wait',
    says: 'news of a purchase wakes whatever wait there is, also that for the status it has',
    edits: [
      {
        file: 'functions/logic/purchase/waits.ts',
        was: '  if (wait && wait.status !== status) ',
        is: '  if (wait) ',
      },
      {
        file: 'functions/logic/purchase/waits.ts',
        was: 'status: machineStatusOf(status) });\n',
        is: "status: status === wait.status ? 'PROCESSING' : machineStatusOf(status) });\n",
      },
    ],
  },
  {
    name: 'no re-read after closing a charge',
    says: 'a charge is closed and its purchase expired, without a look whether it was paid before',
    edits: [
      {
        file: 'functions/logic/purchase/end-unpaid.ts',
        was: 'save(paid ?? getChange(transaction, trigger, at));\n',
        is: 'save(getChange(transaction, trigger, at));\n',
      },
    ],
  },
  {
    name: 'canceled before its charge is closed',
    says: 'a purchase is canceled first, and then its charge is closed, without a look whether it was paid',
    edits: [
      {
        file: 'functions/logic/purchase/end-unpaid.ts',
        was: '  if (shown) await closeThenEnd',
        is: "  if (shown && end === 'EXPIRED') await closeThenEnd",
      },
    ],
  },
  {
    name: 'dropped condition on status',
    says: 'a move, its events and postings are written whatever the row has become meanwhile',
    edits: [
      {
        file: STORE,
        was: "      '#status = :was AND #sequence = :wasSequence',\n",
        is: "      '(#status = :was OR #status <> :was) AND (#sequence = :wasSequence OR #sequence <> :wasSequence)',\n",
      },
      {
        file: STORE,
        was: '    ...change.events.map((event) => ({ Put: putNew(tables.events, eventRow(event)) })),\n',
        is: '    ...change.events.map((event) => ({ Put: { TableName: tables.events, Item: eventRow(event) } })),\n',
      },
      {
        file: 'functions/adapters/dynamodb/ledger.ts',
        was: 'Put: putNew(table, postingRow(posting, recordedAt))',
        is: 'Put: { TableName: table, Item: postingRow(posting, recordedAt) }',
      },
    ],
  },
  {
    name: 'event outside the transaction',
    says: 'the status first, its events in a write of their own',
    edits: [
      {
        file: STORE,
        was: `    save: (change) =>
      saveAll(change, [...moveWrites(change, tables), ...releasesOf(change.released, tables.usages)]),
`,
        is: `    save: async (change) => {
      const [move, ...others] = [...moveWrites(change, tables), ...releasesOf(change.released, tables.usages)];
      const events = others.filter(({ Put }) => Put?.TableName === tables.events);
      const isSaved = await saveAll(change, [move!, ...others.filter((each) => !events.includes(each))]);
      for (const event of isSaved ? events : []) await saveAll(change, [event]);
      return isSaved;
    },
`,
      },
    ],
  },
  {
    name: 'callback believed without re-reading',
    says: 'what is posted to us is a payment, of the amount that is due',
    edits: [
      {
        file: CALLBACK,
        was: "  const charge = await noting({ work: 'reading the payment', transaction }, ports, () => asked);\n",
        is: `  const read = await noting({ work: 'reading the payment', transaction }, ports, () => asked);
  const { id, amountCentavos } = transaction;
  const posted = { endToEndId: \`E\${id}\`, txid: id, amountCentavos, paidAt: ports.clock.now() };
  const payments = read?.payments.length ? read.payments : [posted];
  const charge = read && { ...read, status: 'PAID' as const, payments };
`,
      },
      {
        file: CONFIRM,
        was: '  const received = charge?.payments.find((each) => each.endToEndId === payment.endToEndId);\n',
        is: '  const received = charge?.payments.find((each) => each.endToEndId === payment.endToEndId) ?? payment;\n',
      },
      {
        file: CONFIRM,
        was: '  if (!received || !shown) throw',
        is: '  if (!received) throw',
      },
      {
        file: CONFIRM,
        was: '  requireAgreed(received, shown, transaction);\n',
        is: '  if (shown) requireAgreed(received, shown, transaction);\n',
      },
      {
        file: CONFIRM,
        was: 'mergedReturns(received.returns, shown.returns)',
        is: 'mergedReturns(received.returns, shown?.returns)',
      },
      {
        file: CONFIRM,
        was: '  const payer = await ports.pix.findPayer(received, await ownCpf);\n',
        is: "  const cpf = await ownCpf;\n  const payer = charge?.payments.length ? await ports.pix.findPayer(charge.payments[0]!, cpf) : ('MATCH' as const);\n",
      },
    ],
  },
  {
    name: 'code burned before its effect',
    says: 'an accepted code is spent though the charge that it is for could not be made',
    edits: [
      {
        file: 'functions/domain/kyc/client.ts',
        was: '  return !(step === client.lastStep && client.lastTransactionId === transactionId);\n',
        is: '  return transactionId.length > 0;\n',
      },
      {
        file: 'functions/api/confirm-mfa.ts',
        was: '  const isAccepted = client.lastTransactionId === id && client.lastRequestId === requestId;\n',
        is: "  const isAccepted = requestId === '';\n",
      },
    ],
  },
  {
    name: 'jti burned before its effect',
    says: "a partner's token is marked as used in a write of its own, before the record that it is for",
    edits: [
      {
        file: KYC,
        was: '        ...(use ? [{ Put: putNew(tables.kycRecords, useRow(use, record)) }] : []),\n',
        is: '',
      },
      {
        file: KYC,
        was: "      if ((await writeAll(client, items, random)) === 'WRITTEN') return row;\n",
        is: `      if (use) {
        const burned = await writeAll(client, [{ Put: putNew(tables.kycRecords, useRow(use, record)) }], random);
        if (burned !== 'WRITTEN') return findUsed(store, use);
      }
      if ((await writeAll(client, items, random)) === 'WRITTEN') return row;
`,
      },
    ],
  },
  {
    name: 'limit kept after the end',
    says: 'a purchase that ends unpaid or goes back in full stays in the sums of its client',
    edits: [
      {
        file: STORE,
        was: ', ...releasesOf(change.released, tables.usages)]),',
        is: ', ...releasesOf(undefined, tables.usages)]),',
      },
    ],
  },
  {
    name: 'place kept after the payment',
    says: 'a paid charge still counts as an open one',
    edits: [
      {
        file: 'functions/domain/purchase/claim.ts',
        was: '(STATUSES[status].chargeMayBeOpen ? 1 : 0)',
        is: '(STATUSES[status].terminal ? 0 : 1)',
      },
    ],
  },
  {
    name: 'end that overlooks a claim',
    says: 'a purchase ends by what was read, although its limits were claimed since',
    edits: [
      {
        file: STORE,
        was: '      ...(isClaimed === undefined',
        is: '      ...(isClaimed !== true',
      },
    ],
  },
  {
    name: 'claim apart from the sums',
    says: 'the purchase has its claim first, and the sums are added in a write of their own',
    edits: [
      {
        file: 'functions/adapters/dynamodb/usages.ts',
        was: '      const written = await writeAll(client, claimsOf(wanted, tables), random);\n',
        is: `      const [first, ...others] = claimsOf(wanted, tables);
      const marked = await writeAll(client, [first!], random);
      const written = marked === 'WRITTEN' ? await writeAll(client, others, random) : marked;
`,
      },
    ],
  },
];
