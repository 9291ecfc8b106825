import { beforeAll, describe, expect, it } from 'vitest';
import { type FunctionSource, readSources } from '../../infra/sources.ts';
import { actionsOf, type Statement, type Synthesized, synthesized } from './synthesized.ts';

let production: Synthesized;
let sources: FunctionSource[];
beforeAll(async () => {
  production = await synthesized('production');
  sources = await readSources(new URL('../../functions/', import.meta.url).pathname);
});

/** The actions of every function. */
const COMMON = [
  'logs:CreateLogStream',
  'logs:PutLogEvents',
  'xray:PutTelemetryRecords',
  'xray:PutTraceSegments',
];
/** The actions for which AWS knows no resource but `*`. */
const NAMELESS = [
  /^cloudwatch:DescribeAlarms$/,
  /^dynamodb:ListStreams/,
  /^logs:(.*LogDeliver|.*ResourcePolic|DescribeLogGroups)/,
  /^xray:/,
];
const ownActions = (name: string) =>
  actionsOf(production.statementsOf(name)).filter((action) => !COMMON.includes(action));
const about = (name: string, resource: string): Statement[] =>
  production.statementsOf(name).filter(({ Resource }) => JSON.stringify(Resource).includes(`"${resource}`));
const isOf = (resource: unknown, table: string) => JSON.stringify(resource).includes(`"${table}`);
/** The functions that have the role. */
const functionsOf = ({ resources }: Synthesized, role: string): string[] =>
  Object.entries(resources('AWS::Lambda::Function'))
    .filter(([, { Properties }]) => JSON.stringify(Properties.Role).includes(`"${role}`))
    .map(([id]) => id.slice(0, -8));

describe('least privilege', () => {
  it('names every action, and every resource that has a name', () => {
    for (const { id, statements } of production.policies()) {
      for (const { Action, Resource } of statements) {
        const actions = [Action].flat();
        expect(actions.join(), id).not.toContain('*');
        if ([Resource].flat().includes('*')) {
          expect(
            actions.filter((action) => !NAMELESS.some((known) => known.test(action))),
            id,
          ).toEqual([]);
        }
      }
    }
  });

  it('gives no role a managed policy of AWS, except API Gateway’s role for logs', () => {
    // A large role keeps its overflow in a policy of this template. Such a policy is a reference, and AWS's are not.
    const own = Object.keys(production.resources('AWS::IAM::ManagedPolicy'));
    const isOwn = (arn: unknown) => own.includes((arn as { Ref?: string }).Ref ?? '');
    const managed = Object.entries(production.resources('AWS::IAM::Role'))
      .filter(([, { Properties }]) => [Properties.ManagedPolicyArns ?? []].flat().some((arn) => !isOwn(arn)))
      .map(([id]) => id);

    expect(managed).toEqual([expect.stringMatching(/^GatewayLogs/)]);
  });

  it('lets GetTransactionStatus only read transactions, renew a liveness link and count the request', () => {
    expect(
      about('GetTransactionStatus', 'TablesTransactions')
        .flatMap(({ Action }) => Action)
        .sort(),
    ).toEqual(['dynamodb:GetItem', 'dynamodb:UpdateItem']);
    expect(new Set(ownActions('GetTransactionStatus'))).toEqual(
      new Set([
        'dynamodb:BatchGetItem',
        'dynamodb:GetItem',
        'dynamodb:UpdateItem',
        'secretsmanager:GetSecretValue',
      ]),
    );
    expect(about('GetTransactionStatus', 'TablesRequests').flatMap(({ Action }) => Action)).toEqual([
      'dynamodb:UpdateItem',
    ]);
  });

  it('lets no function list transactions, but the partner’s list, the archive and the sweep', () => {
    const reading = sources.filter(({ needs }) => needs.includes('transactions:read'));
    const listing = ['ListTransactions', 'ArchiveHistories', 'SweepStuckTransactions'];
    const readers = reading.map(({ id }) => id).filter((id) => !listing.includes(id));

    expect(readers).toContain('SettleStablecoin');
    for (const id of readers) {
      const actions = about(id, 'TablesTransactions').flatMap(({ Action }) => Action);
      expect(actions, id).not.toContain('dynamodb:Query');
    }
    expect(ownActions('SweepStuckTransactions')).toContain('dynamodb:Query');
    // A delay of Step Functions must not delay webhooks.
    expect(about('QueueDueDeliveries', 'TablesTransactions')).toEqual([]);
  });

  // docs/security.md, "Least privilege"
  it.each([
    ['dynamodb:PutItem', 'TablesTransactions', ['InitiateTransaction']],
    ['dynamodb:PutItem', 'TablesClients', ['SubmitKyc']],
    ['dynamodb:Query', 'TablesDeliveries', ['QueueDueDeliveries']],
    ['dynamodb:Query', 'TablesMoneyCases', ['ReconcileBooks']],
    [
      'dynamodb:Query',
      'TablesUnmatchedPayments',
      ['GetTransaction', 'ReconcilePix', 'ReturnUnmatchedPayments'],
    ],
  ])('allows %s on %s to %j alone', (action, table, allowed) => {
    const found = sources.filter(({ id }) =>
      about(id, table).some(
        ({ Action, Resource }) =>
          [Action].flat().includes(action) && [Resource].flat().some((each) => isOf(each, table)),
      ),
    );

    expect(found.map(({ id }) => id).sort()).toEqual(allowed);
  });

  it('lets a wait write its token into a purchase, and nothing else', () => {
    for (const id of ['AwaitAuthentication', 'AwaitPixPayment']) {
      const [writing, ...others] = production
        .statementsOf(id)
        .filter(({ Action }) =>
          [Action].flat().some((action) => /^dynamodb:(Put|Update)/.test(String(action))),
        );

      expect(others, id).toEqual([]);
      expect(writing?.Condition, id).toEqual({
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['id', 'wait'] },
      });
    }
  });

  it('lets only reviews change a KYC record, and find it by its indexes', () => {
    const onRecords = (name: string) =>
      new Set(about(name, 'TablesKycRecords').flatMap(({ Action }) => Action));
    const queried = about('ReviewPendingKyc', 'TablesKycRecords')
      .filter(({ Action }) => [Action].flat().includes('dynamodb:Query'))
      .flatMap(({ Resource }) => [Resource].flat().map((each) => JSON.stringify(each)));

    expect(onRecords('SubmitKyc')).toEqual(new Set(['dynamodb:GetItem', 'dynamodb:PutItem']));
    expect(onRecords('GetKycStatus')).toEqual(new Set(['dynamodb:GetItem']));
    expect(onRecords('ReviewPendingKyc')).toEqual(
      new Set(['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:Query']),
    );
    // A statement may also name another table's index.
    const ofRecords = queried.filter((resource) => resource.includes('TablesKycRecords'));
    expect(ofRecords.map((resource) => /index\/\w+/.exec(resource)?.[0]).sort()).toEqual([
      'index/client',
      'index/due',
      'index/ofClient',
    ]);
  });

  it('lets functions that decide put evidence, and no function change or delete it', () => {
    const granted = sources.map(({ id }) => ({
      id,
      actions: about(id, 'TablesEvidence').flatMap(({ Action }) => Action),
    }));
    const allowed = ['dynamodb:PutItem', 'dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];

    expect(granted.filter(({ actions }) => actions.includes('dynamodb:PutItem')).length).toBeGreaterThan(3);
    expect(granted.filter(({ actions }) => actions.some((action) => !allowed.includes(action)))).toEqual([]);
    const listing = granted.filter(({ actions }) => actions.includes('dynamodb:Query'));
    expect(listing.map(({ id }) => id)).toEqual(['ArchiveHistories']);
  });

  it('lets functions that move money put postings, and no function change or delete one', () => {
    const granted = sources.map(({ id, needs }) => ({
      id,
      moves: ['transactions', 'unmatchedPayments', 'treasury', 'transfers'].some((need) =>
        (needs as string[]).includes(need),
      ),
      actions: about(id, 'TablesLedger').flatMap(({ Action }) => Action),
    }));
    const [writers, others] = [granted.filter(({ moves }) => moves), granted.filter(({ moves }) => !moves)];

    expect(writers.length).toBeGreaterThan(5);
    for (const { actions } of writers) expect(actions).toContain('dynamodb:PutItem');
    const allowed = ['dynamodb:PutItem', 'dynamodb:GetItem', 'dynamodb:Query'];
    expect(granted.filter(({ actions }) => actions.some((each) => !allowed.includes(each)))).toEqual([]);
    // Cases post the payments that the provider took back.
    const postsCases = (id: string) => about(id, 'TablesMoneyCases').length > 0;
    expect(
      others.filter(({ id, actions }) => actions.includes('dynamodb:PutItem') && !postsCases(id)),
    ).toEqual([]);
  });

  // docs/operations.md, "Two persons"
  it('lets no role change or delete a row of the operators’ audit', () => {
    const table = production.find('AWS::DynamoDB::Table', 'TablesActs');
    const granted = production
      .policies()
      .flatMap(({ statements }) => statements)
      .filter(({ Resource }) => JSON.stringify(Resource).includes(`"${table}"`));

    const added = ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'];
    expect(actionsOf(granted).filter((action) => !added.includes(action))).toEqual([]);
  });

  it('lets only its schedule list the records that are screened again', () => {
    const listing = sources
      .filter(({ id }) =>
        about(id, 'TablesKycRecords').some(({ Resource }) =>
          JSON.stringify(Resource).includes('/index/screened'),
        ),
      )
      .map(({ id }) => id);

    expect(listing).toEqual(['RescreenClients']);
  });

  it('lets a schedule read the treasury without signing, and no function pause it', () => {
    const onFloats = (id: string) => about(id, 'TablesFloats').flatMap(({ Action }) => Action);
    const changing = sources.filter(({ id }) => onFloats(id).includes('dynamodb:UpdateItem'));

    expect(changing.map(({ id }) => id).sort()).toEqual([
      ...['ConfirmMfa', 'ExpireTransaction', 'ProcessCallback', 'ReadTreasuryFloat', 'ReconcilePix'],
    ]);
    for (const { id } of sources) {
      const allowed = ['dynamodb:GetItem', 'dynamodb:UpdateItem'];
      expect(
        onFloats(id).filter((action) => !allowed.includes(action!)),
        id,
      ).toEqual([]);
    }
    const writing = about('ReadTreasuryFloat', 'TablesFloats').filter(({ Condition }) => Condition);
    expect(JSON.stringify(writing)).toContain('"lowSince"');
    expect(JSON.stringify(writing)).not.toContain('"paused"');
    const noting = about('ReconcilePix', 'TablesFloats');
    expect(noting.map(({ Condition }) => Object.values(Condition ?? {}))).toEqual([
      [{ 'dynamodb:Attributes': ['id', 'shortfall'] }],
      [{ 'dynamodb:Attributes': ['id', 'unproven', 'payerUnknownSince'] }],
    ]);
    const reading = about('ReadTreasuryFloat', 'KeysSigning');
    expect(reading.flatMap(({ Action }) => Action)).toEqual(['kms:GetPublicKey']);
  });

  it('lets no function make a partner or an operators’ key, and only few change one', () => {
    const actionsOn = (id: string) => about(id, 'TablesPartners').flatMap(({ Action }) => Action);
    const changing = sources
      .filter(({ id }) => actionsOn(id).includes('dynamodb:UpdateItem'))
      .map(({ id }) => id);

    expect(changing.sort()).toEqual([
      'AddWebhookEndpoint',
      'ChangePartnerSettings',
      'DeliverWebhook',
      'EditWebhookEndpoint',
      'EnableWebhookEndpoint',
      'MakeApiKey',
      'ProposeVendorKey',
      'RemoveWebhookEndpoint',
      'RevokeApiKey',
      'RotateWebhookSecret',
      'WithdrawVendorKey',
    ]);
    for (const { id } of sources) expect(actionsOn(id), id).not.toContain('dynamodb:PutItem');
  });

  it.each([
    ['ProposeVendorKey', 'TablesPartners', ['id', 'proposedKeys', 'withdrawnKids', 'version']],
    ['RevokeApiKey', 'TablesPartners', ['id', 'webhookEndpoints', 'addressLostAt', 'version', 'status']],
    ['DeliverWebhook', 'TablesPartners', ['id', 'webhookEndpoints', 'version'], ['id', 'heard']],
    ['ChangePartnerSettings', 'TablesPartners', ['id', 'returnHosts', 'displayName', 'version']],
    [
      'AddWebhookEndpoint',
      'TablesPartners',
      ['id', 'webhookEndpoints', 'addressLostAt', 'version', 'status'],
    ],
    ['GetTransactionStatus', 'TablesTransactions', ['id', 'liveness', 'status']],
    ['FailTransaction', 'TablesSettlements', ['id', 'cancel', 'state']],
    [
      'WatchTransfers',
      'TablesSettlements',
      ['id', 'state', 'txHash', 'blockNumber', 'nextCheckAt', 'sweep', 'gas'],
    ],
    ['WatchTransfers', 'TablesTransactions', ['id', 'txHash', 'formerTxHashes', 'status']],
    [
      'ConfirmMfa',
      'TablesFloats',
      ['id', 'room', 'largest', 'taken', 'readAt', 'isGasLow', 'paused', 'shortfall', 'unproven'],
    ],
  ])('lets %s change rows of %s in %j alone', (name, table, ...groups) => {
    const changing = about(name, table).filter(({ Action }) =>
      [Action].flat().includes('dynamodb:UpdateItem'),
    );

    expect(changing.map(({ Condition }) => Condition)).toEqual(
      groups.map((attributes) => ({ 'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes } })),
    );
  });

  it('lets no function decide a review case, or write a reviewer’s decision into a client', () => {
    const attributesOf = (id: string, table: string) =>
      about(id, table)
        .filter(({ Action }) => [Action].flat().some((action) => /PutItem|UpdateItem/.test(action)))
        .map(({ Condition }) => {
          const { 'ForAllValues:StringEquals': all } = Condition as Record<string, Record<string, string[]>>;
          return all!['dynamodb:Attributes']!;
        });
    const onClients = sources.flatMap(({ id }) => attributesOf(id, 'TablesClients'));
    const onCases = sources.flatMap(({ id }) => attributesOf(id, 'TablesCases'));

    expect(onClients.length).toBeGreaterThan(3);
    expect(onCases.length).toBeGreaterThan(3);
    expect(onClients.flat()).not.toContain('clearedPairs');
    expect(onClients.flat()).not.toContain('confirmedPairs');
    for (const name of ['decidedBy', 'decidedAt', 'reason']) expect(onCases.flat()).not.toContain(name);
  });

  it('lets no function close a case of money or lift a block, and only functions that open cases mark a client', () => {
    const changing = (table: string) =>
      sources
        .filter(({ id }) => about(id, table).length > 0)
        .map(({ id }) => ({ id, text: JSON.stringify(about(id, table)) }));
    const openers = sources.filter(({ needs }) => needs.includes('moneyCases')).map(({ id }) => id);

    const onCases = changing('TablesMoneyCases');
    expect(onCases.map(({ id }) => id).sort()).toEqual(openers.sort());
    for (const { id, text } of onCases) {
      expect(text, id).toContain('"openedAt"');
      expect(text, id).not.toMatch(/"closed"|"unblocked"|"ttl"|PutItem|DeleteItem/);
    }
    const marking = changing('TablesClients').filter(({ text }) => text.includes('"blockedFor"'));
    expect(marking.map(({ id }) => id).sort()).toEqual(openers.sort());
  });

  // docs/decisions.md, "MED refunds and fraud"
  it('lets no function block a person at all partners, or lift such a block', () => {
    const changes = sources
      .flatMap(({ id }) => about(id, 'TablesPersonBlocks'))
      .filter(({ Action }) => [Action].flat().some((action) => !/Get|Query|Check/.test(String(action))));

    const only = (...attributes: string[]) => ({
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['id', ...attributes] },
    });
    const ofOpenMeds = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['MED#*'] } };
    // A function that sets the `ttl` of a block lifts it. Therefore no row of a block or a hold is among these.
    const allowed = [only('keptAt'), { ...only('cases', 'ttl', 'heldTtl'), ...ofOpenMeds }];
    expect(changes.length).toBeGreaterThan(1);
    for (const { Action, Condition } of changes) {
      expect(Action).toBe('dynamodb:UpdateItem');
      expect(allowed).toContainEqual(Condition);
    }
  });

  it('lets no function delete a row', () => {
    for (const { id } of sources) expect(ownActions(id), id).not.toContain('dynamodb:DeleteItem');
  });

  it('gives a function the variables of its needs, and no others', () => {
    const variables = Object.keys(production.environmentOf('GetTransactionStatus'));

    expect(variables.sort()).toEqual([
      'API_URL',
      'IDENTITY_SECRET',
      'MINUTE_SECONDS',
      'PARTNERS_TABLE',
      'REQUESTS_TABLE',
      'STAGE',
      'TRANSACTIONS_TABLE',
    ]);
    expect(production.environmentOf('SettleStablecoin')).toHaveProperty('SIGNING_KEY_IDS');
  });
});

describe('the treasury of three wallets', () => {
  it('has a key for each, and only SettleStablecoin knows the keys and may sign', async () => {
    const three = await synthesized('production', { treasuryWallets: '3' });
    const keys = Object.entries(three.resources('AWS::KMS::Key')).filter(([id]) =>
      id.startsWith('KeysSigning'),
    );
    const signing = keys.map(([, { Properties }]) =>
      (Properties.KeyPolicy as { Statement: Statement[] }).Statement.filter(({ Action }) =>
        [Action].flat().includes('kms:Sign'),
      ),
    );

    expect(signing.map((statements) => JSON.stringify(statements.map(({ Principal }) => Principal)))).toEqual(
      Array(3).fill(expect.stringMatching(/^\[[^,]*"KeysSigner[^,]*,"Arn"[^,]*\]$/)),
    );
    expect(functionsOf(three, 'KeysSigner')).toEqual(['SettleStablecoin']);
    const told = JSON.stringify(three.environmentOf('SettleStablecoin').SIGNING_KEY_IDS);
    for (const [id] of keys) expect(told).toContain(`"${id}"`);
    // A key with another id would be another wallet. The money of the first wallet would be out of reach.
    expect(keys.map(([id]) => id)).toContain(production.find('AWS::KMS::Key', 'KeysSigning'));
  });

  it.each(['0', '1.5', 'two', 17])('is not made with treasuryWallets %s', async (treasuryWallets) => {
    await expect(synthesized('production', { treasuryWallets })).rejects.toThrow('between 1 and 16');
  });
});

describe('the key that pays', () => {
  const policyOf = (name: string): Statement[] => {
    const { Properties } = production.resources('AWS::KMS::Key')[production.find('AWS::KMS::Key', name)]!;
    return (Properties.KeyPolicy as { Statement: Statement[] }).Statement;
  };

  it('signs, by its own policy, only for functions that settle', () => {
    const signers = policyOf('KeysSigning')
      .filter(({ Action }) => [Action].flat().some((action) => ['kms:Sign', 'kms:*'].includes(action)))
      .map(({ Principal }) => JSON.stringify(Principal));
    const settling = sources.filter(({ needs }) => needs.includes('treasury')).map(({ id }) => id);

    expect(settling).toEqual(['SettleStablecoin']);
    expect(signers).toEqual([expect.stringContaining('"KeysSigner')]);
    expect(functionsOf(production, 'KeysSigner')).toEqual(settling);
    for (const { id } of sources) expect(ownActions(id), id).not.toContain('kms:Sign');
  });

  it('is of the chain’s curve, and its deletion takes 30 days', () => {
    production.template.hasResourceProperties('AWS::KMS::Key', {
      KeySpec: 'ECC_SECG_P256K1',
      KeyUsage: 'SIGN_VERIFY',
      PendingWindowInDays: 30,
    });
  });

  // docs/operations.md, "A region that is lost"
  it('may have replicas in other regions, which only an administrator can make', () => {
    production.template.hasResourceProperties('AWS::KMS::Key', {
      KeySpec: 'ECC_SECG_P256K1',
      MultiRegion: true,
    });
    const replicating = policyOf('KeysSigning').filter(({ Action }) =>
      [Action].flat().includes('kms:ReplicateKey'),
    );

    expect(replicating).toMatchObject([{ Sid: 'Administration' }]);
    for (const { id } of sources) expect(ownActions(id), id).not.toContain('kms:ReplicateKey');
  });

  it('does not open the vault for functions that only read tables', () => {
    const open = policyOf('KeysData').filter(({ Principal }) => JSON.stringify(Principal) === '{"AWS":"*"}');

    expect(open).toHaveLength(1);
    expect(JSON.stringify(open[0]?.Condition)).toContain('kms:ViaService');
    expect(about('GetTransactionStatus', 'KeysData')).toEqual([]);
  });

  // docs/security.md, "Least privilege"
  it('is used by each function for the purposes of its needs alone', () => {
    const purposes = about('ConfirmMfa', 'KeysData').map(({ Action, Condition }) => [
      [Action].flat().join(' '),
      (Condition as { StringEquals?: object } | undefined)?.StringEquals,
    ]);

    expect(purposes).toEqual(
      expect.arrayContaining([
        [
          'kms:Decrypt kms:GenerateDataKey',
          {
            'kms:EncryptionContext:purpose': 'answer',
            'kms:EncryptionContext:answersOf': 'ConfirmMfa',
          },
        ],
        ['kms:Decrypt kms:GenerateDataKey', { 'kms:EncryptionContext:purpose': 'client' }],
        ['kms:Decrypt', { 'kms:EncryptionContext:purpose': 'totp' }],
        ['kms:GenerateDataKey', { 'kms:EncryptionContext:purpose': 'units' }],
      ]),
    );
    expect(purposes).toHaveLength(4);
  });

  /** The functions that may do this with data keys of the purpose. */
  const allowed = (action: string, purpose: string): string[] =>
    sources
      .map(({ id }) => id)
      .filter((id) =>
        about(id, 'KeysData').some(({ Action, Condition }) => {
          const { StringEquals: context = {} } = Condition as { StringEquals?: Record<string, string> };
          const isAnyPurpose = !Object.keys(context).some((name) =>
            name.startsWith('kms:EncryptionContext:'),
          );
          const isOf = isAnyPurpose || context['kms:EncryptionContext:purpose'] === purpose;
          return [Action].flat().includes(action) && isOf;
        }),
      );

  // docs/decisions.md, "A sealed payout"
  it.each([
    ['destination', ['InitiateTransaction']],
    ['units', ['ConfirmMfa', 'ExpireTransaction', 'ProcessCallback']],
  ])('seals for the purpose %s by %j alone, and opens it by settlement alone', (purpose, sealers) => {
    expect(allowed('kms:GenerateDataKey', purpose).sort()).toEqual(sealers);
    expect(allowed('kms:Decrypt', purpose)).toEqual(['SettleStablecoin']);
  });
});

// docs/security.md, "Providers calling us"
it('a callback of the Pix provider reads its token alone, and not our credentials', () => {
  const secrets = about('PixReceived', 'Secrets').map(({ Resource }) => JSON.stringify(Resource));

  expect(secrets).toHaveLength(1);
  expect(secrets[0]).toContain('"SecretsPixCallback');
});
