/** Which need gives a right, as the report about unused grants names rights. */
import type { TableGrant } from '../../functions/tables/describe.ts';
import { TABLE_LIST } from '../../functions/tables.ts';
import type { AnyNeed } from '../../infra/sources.ts';
import { STACK } from '../../sandbox/sandbox.ts';

/** The rights that are not on tables, with the needs that give them. `infra/grants.ts` has these grants. */
const OF_NEEDS: [RegExp, readonly AnyNeed[]][] = [
  [/^states:(StartExecution|SendTaskSuccess|DescribeExecution) /, ['machine']],
  [/^states:GetExecutionHistory /, ['executions']],
  [/^kms:(GenerateDataKey|Decrypt) /, ['vault', 'idempotency']],
  [
    /^kms:GenerateDataKey /,
    ['totpSealer', 'webhookSealer', 'destinationSealer', 'unitsSealer', 'archiveBucket'],
  ],
  [/^kms:Decrypt /, ['totpOpener', 'webhookOpener', 'treasury']],
  [/^kms:GetPublicKey /, ['outflows', 'hotWallets']],
  [/^s3:(GetObject|ListBucket) /, ['sanctions', 'listArchive', 'listedWallets', 'walletRisk']],
  [/^s3:PutObject /, ['listArchive', 'archiveBucket']],
  [/^secretsmanager:GetSecretValue \S+LookupSecret/, ['lookup']],
  [/^secretsmanager:GetSecretValue \S+Pix/, ['pix', 'pixCallback']],
  [/^secretsmanager:GetSecretValue \S+Identity/, ['identity']],
  [/^secretsmanager:GetSecretValue \S+CpfRegistry/, ['cpfRegistry']],
  [/^secretsmanager:GetSecretValue \S+CompanyRegistry/, ['companyRegistry']],
  [/^secretsmanager:GetSecretValue \S+WalletScreening/, ['walletRisk']],
  [
    /^secretsmanager:GetSecretValue \S+Chain/,
    ['treasury', 'transfers', 'outflows', 'hotWallets', 'walletRisk'],
  ],
  [/^sqs:SendMessage \S+QueuesWebhook$/, ['webhookQueue']],
  [/^sqs:SendMessage \S+QueuesCallback$/, ['callbackQueue']],
];

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** The rights on tables that a need gives: `functions/tables.ts`. */
function tableRightsOf(need: AnyNeed): string[] {
  return TABLE_LIST.flatMap(({ name, grants }) => {
    const {
      rows = [],
      only,
      puts,
      queries = [],
    } = (grants as Partial<Record<AnyNeed, TableGrant>>)[need] ?? {};
    const table = `table/${STACK}State-Tables${capital(name)}`;
    const actions = [...rows, ...(only?.actions ?? []), ...(puts ? ['PutItem'] : [])];
    return [
      ...actions.map((action) => `dynamodb:${action} ${table}`),
      ...queries.map((index) => `dynamodb:Query ${table}/index/${index}`),
    ];
  });
}

/** Whether the need gives the right. */
export function gives(need: AnyNeed, right: string): boolean {
  // The need `treasury` also has every right that `holds:read` gives: `infra/grants.ts`.
  if (need === 'treasury' && gives('holds:read', right)) return true;
  return (
    tableRightsOf(need).includes(right) || OF_NEEDS.some(([of, by]) => of.test(right) && by.includes(need))
  );
}
