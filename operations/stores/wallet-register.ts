import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Chain } from '../../functions/adapters/chain/chain.ts';
import { readBalance } from '../../functions/adapters/chain/erc20.ts';
import { settledNonce } from '../../functions/adapters/chain/foreign-use.ts';
import type { Signer } from '../../functions/adapters/chain/kms-signer.ts';
import { leastNonce, readGas } from '../../functions/adapters/chain/preflight.ts';
import type { Rpc } from '../../functions/adapters/chain/rpc.ts';
import { listAddresses } from '../../functions/adapters/chain/signers.ts';
import type { Book } from '../../functions/adapters/dynamodb/settlement-book.ts';
import { walletKeyOf } from '../../functions/adapters/dynamodb/settlement-rows.ts';
import { isDone, writeRow } from '../../functions/adapters/dynamodb/table.ts';
import { loadPerAsset, type PerAsset } from '../../functions/domain/assets.ts';
import type { Random } from '../../functions/domain/ports.ts';
import type { HotWallet, Quarantine } from '../../functions/domain/treasury/hot-wallet.ts';

/** A wallet and its balances: gas in wei, stablecoin in base units. `isOpen` means that the wallet has been used. */
export type WalletHoldings = HotWallet & { isOpen: boolean; gas: bigint; units: PerAsset<bigint> };

/** The hot wallets, for operators. Only the operators' command and the console have this part. */
type WalletRegister = {
  listWallets(): Promise<WalletHoldings[]>;
  /** Stops the wallet, which then assigns no more nonces. False if it was already stopped, or never used. */
  quarantine(wallet: HotWallet, quarantine: Quarantine): Promise<boolean>;
  /**
   * Lets the wallet pay again. If the chain counts more transactions than the row, the next nonce becomes the
   * chain's count. That count must be final: if the chain undid it later, the wallet would wait for a nonce
   * that nobody uses. False if it is not final, or if the row has changed since it was read.
   */
  release(wallet: HotWallet): Promise<boolean>;
};

type Ports = {
  rpc: Rpc;
  chain: Chain;
  signers: readonly Signer[];
  book: Pick<Book, 'findWallets'>;
  client: DynamoDBDocumentClient;
  table: string;
  random: Random;
};

export function walletRegister({ rpc, chain, signers, book, client, table, random }: Ports): WalletRegister {
  async function look(
    address: string,
    row?: Pick<HotWallet, 'next' | 'quarantine'>,
  ): Promise<WalletHoldings> {
    const [latest, gas, units] = await Promise.all([
      leastNonce(rpc, chain, address),
      readGas(rpc, address),
      loadPerAsset((asset) => readBalance(rpc, chain.tokens[asset], address)),
    ]);
    return { address, latest, gas, next: latest, isOpen: row !== undefined, ...row, units };
  }

  function update(
    address: string,
    change: Pick<UpdateInput, 'UpdateExpression' | 'ConditionExpression'>,
    values: object,
  ) {
    const command = new UpdateCommand({
      TableName: table,
      Key: { id: walletKeyOf(chain.chainId, address) },
      ...change,
      ExpressionAttributeNames: { '#next': 'next' },
      ExpressionAttributeValues: { ...values },
    });
    return isDone(writeRow(() => client.send(command), random));
  }

  return {
    async listWallets() {
      const addresses = await listAddresses(signers);
      const rows = await book.findWallets(addresses);
      return Promise.all(addresses.map((address) => look(address, rows.get(address))));
    },
    quarantine({ address }, quarantine) {
      const UpdateExpression = 'SET quarantine = :quarantine';
      const ConditionExpression = 'attribute_exists(#next) AND attribute_not_exists(quarantine)';
      return update(address, { UpdateExpression, ConditionExpression }, { ':quarantine': quarantine });
    },
    async release({ address, next, latest, quarantine }) {
      if (latest > next && (await settledNonce(rpc, chain, address)) < latest) return false;
      const UpdateExpression = 'SET #next = :next REMOVE quarantine';
      // A finding that was added after the operator has looked is not removed, because the operator has not seen it.
      const isAsSeen = quarantine ? 'quarantine = :seen' : 'attribute_not_exists(quarantine)';
      const ConditionExpression = `#next = :was AND ${isAsSeen}`;
      const values = {
        ':was': next,
        ':next': Math.max(next, latest),
        ...(quarantine && { ':seen': quarantine }),
      };
      return update(address, { UpdateExpression, ConditionExpression }, values);
    },
  };
}

type UpdateInput = ConstructorParameters<typeof UpdateCommand>[0];
