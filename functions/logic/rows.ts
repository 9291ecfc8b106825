/**
 * Reads rows that must exist, because another row names them. A missing row is a bug of ours, so an `Error` is thrown
 * and nothing is refused. CONTRIBUTING.md, "Style", rule 9.
 */
import { getDefined } from '../domain/get.ts';
import type { Client } from '../domain/kyc/client.ts';
import type { Clients } from '../domain/kyc/client-ports.ts';
import type { KycRecord } from '../domain/kyc/kyc.ts';
import type { KycRecords } from '../domain/kyc/kyc-ports.ts';
import type { Partner } from '../domain/partners/partner.ts';
import type { Partners } from '../domain/partners/partner-ports.ts';
import type { Transaction } from '../domain/purchase/transaction.ts';
import type { Transactions } from '../domain/purchase/transaction-ports.ts';

export async function getTransaction(
  transactions: Pick<Transactions, 'findTransaction'>,
  id: string,
): Promise<Transaction> {
  return getDefined(await transactions.findTransaction(id), `transaction ${id}`);
}

/** The error does not name the client, because the id is made from the CPF. */
export async function getClient(clients: Pick<Clients, 'findClient'>, id: string): Promise<Client> {
  return getDefined(await clients.findClient(id), 'client');
}

/** The error does not name the token, because anyone who reads the token can buy with it. */
export async function getKycRecord(
  kycRecords: Pick<KycRecords, 'findRecord'>,
  token: string,
): Promise<KycRecord> {
  return getDefined(await kycRecords.findRecord(token), 'KYC record');
}

export async function getPartner(partners: Pick<Partners, 'findPartner'>, id: string): Promise<Partner> {
  return getDefined(await partners.findPartner(id), `partner ${id}`);
}
