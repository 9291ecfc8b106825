import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { rowKeyOf } from '../../sandbox/providers/store.ts';
import { askControl, dynamo, physical } from './sandbox.ts';

/**
 * These faults hit one client or one charge only. An outage of a simulator would also hit the tests of other files,
 * which run in the same sandbox at the same time.
 */

/** The tax registry answers 503 for one CPF until `heal`. */
export async function registryDownFor(cpf: string): Promise<{ heal(): Promise<void> }> {
  const put = async (person: object) => {
    await askControl(`/cpf-registry/people/${cpf}`, { method: 'PUT', body: JSON.stringify(person) });
  };
  await put({ status: 503 });
  return { heal: () => put({}) };
}

/** Sets the tax registry's answer for one CPF. */
export async function registrySays(cpf: string, person: object): Promise<void> {
  await askControl(`/cpf-registry/people/${cpf}`, { method: 'PUT', body: JSON.stringify(person) });
}

/** Sets the wallet risk vendor's answer for one wallet. With a `status` the vendor fails. */
export async function vendorSays(address: string, judgement: object): Promise<void> {
  await askControl(`/chainalysis/addresses/${address}`, { method: 'PUT', body: JSON.stringify(judgement) });
}

/** Ends the identity provider's review of a client. An ended review is done again. */
export async function reviewSays(clientId: string, review: object): Promise<void> {
  const path = `/identity/applicants/${clientId}/review`;
  await askControl(path, { method: 'POST', body: JSON.stringify(review) });
}

/** Sets the biometric hash that the face check has stored with the identity provider. */
export async function biometricIs(clientId: string, value: string): Promise<void> {
  const metadata = [{ key: 'biometricHash', value }];
  const path = `/identity/applicants/${clientId}/metadata`;
  await askControl(path, { method: 'PUT', body: JSON.stringify({ metadata }) });
}

/** Lets the client show the document of the person whom the simulators know by `cpf`. */
export async function documentShows(clientId: string, cpf: string): Promise<void> {
  const TableName = physical('SimulatorsTable');
  const Key = rowKeyOf(`identity/applicant/${clientId}`);
  const { Item } = await dynamo().send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  const applicant = { ...JSON.parse(String(Item!.value)), fixedInfo: { country: 'BRA', tin: cpf } };
  await dynamo().send(new PutCommand({ TableName, Item: { ...Item, value: JSON.stringify(applicant) } }));
}

/** The payment provider fails with 500 for one charge until `heal`, because its stored charge is invalid. */
export async function pspDownFor(txid: string): Promise<{ heal(): Promise<void> }> {
  const TableName = physical('SimulatorsTable');
  const Key = rowKeyOf(`psp/cob/${txid}`);
  await dynamo().send(new PutCommand({ TableName, Item: { ...Key, value: '5', version: 1 } }));
  return {
    async heal() {
      await dynamo().send(new DeleteCommand({ TableName, Key }));
    },
  };
}

/** The charge as the payment provider has it, or undefined. */
export async function chargeAtPsp(txid: string) {
  const Key = rowKeyOf(`psp/cob/${txid}`);
  const { Item } = await dynamo().send(
    new GetCommand({ TableName: physical('SimulatorsTable'), Key, ConsistentRead: true }),
  );
  if (!Item) return undefined;
  return JSON.parse(String(Item.value)) as { status: string; revisions: Record<string, unknown>[] };
}

/**
 * Expects a charge with one amount and one payer. A slow request may have prolonged it, which is a revision of its end
 * alone.
 */
export async function expectOneCharge(txid: string): Promise<void> {
  const { revisions = [] } = (await chargeAtPsp(txid)) ?? {};
  const terms = revisions.map(({ calendario: _end, ...others }) => JSON.stringify(others));
  expect(new Set(terms).size).toBe(1);
}
