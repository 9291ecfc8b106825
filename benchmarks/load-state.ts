/** Reads the state of the sandbox: purchases, events, postings, webhooks and executions. */
import { GetExecutionHistoryCommand, type HistoryEvent, SFNClient } from '@aws-sdk/client-sfn';
import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { makeClient } from '../functions/adapters/aws/clients/dynamodb.ts';
import type { Posting } from '../functions/domain/ledger.ts';
import type { Delivery } from '../functions/domain/partners/deliveries.ts';
import type { DomainEvent } from '../functions/domain/partners/events.ts';
import type { Transaction } from '../functions/domain/purchase/transaction.ts';
import type { Settlement } from '../functions/domain/treasury/settlement.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { controlKeyOf } from '../sandbox/seed.ts';

type Webhook = { id: string | null; verified: boolean; answered: number };

export function stateOf({ cloud }: Pick<Sandbox, 'cloud'>) {
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  const options = { endpoint: cloud.endpoint, region: cloud.region, credentials };
  const dynamo: DynamoDBDocumentClient = makeClient(options);
  const sfn = new SFNClient(options);
  const machine = cloud.physical('MachineOnramp').replace(':stateMachine:', ':execution:');

  async function rowsOf<Row>(table: string): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const { Items = [] } of paginateScan({ client: dynamo }, { TableName: cloud.physical(table) }))
      rows.push(...(Items as Row[]));
    return rows;
  }

  return {
    /** The table also has the mark of `ReadTreasuryFloat`, a row without a status, which is no purchase. */
    purchases: async () =>
      (await rowsOf<Transaction>('TablesTransactions')).filter(({ status }) => status !== undefined),
    /** The table also has rows of wallets and nonces, which are no settlements. */
    settlements: async () =>
      (await rowsOf<Settlement>('TablesSettlements')).filter(({ tries }) => tries !== undefined),
    events: () => rowsOf<DomainEvent>('TablesEvents'),
    /** The table also has the pace of each slow endpoint, a row without an event, which is no delivery. */
    deliveries: async () =>
      (await rowsOf<Delivery>('TablesDeliveries')).filter(({ eventId }) => eventId !== undefined),
    postings: () => rowsOf<Posting>('TablesLedger'),
    /** The messages that the partner's endpoint got. */
    async webhooks(partnerId: string): Promise<Webhook[]> {
      const url = `${cloud.apis['onramp-simulators']}/control/webhooks/${partnerId}`;
      const answer = await fetch(url, { headers: { 'x-control-key': controlKeyOf(cloud) } });
      return ((await answer.json()) as { deliveries: Webhook[] }).deliveries;
    },
    async history(transactionId: string): Promise<HistoryEvent[]> {
      const executionArn = `${machine}:${transactionId}`;
      const events: HistoryEvent[] = [];
      for (let nextToken: string | undefined; ; ) {
        const command = new GetExecutionHistoryCommand({ executionArn, maxResults: 1000, nextToken });
        const page = await sfn.send(command);
        events.push(...(page.events ?? []));
        if (!page.nextToken) return events;
        nextToken = page.nextToken;
      }
    },
  };
}

export type State = ReturnType<typeof stateOf>;
