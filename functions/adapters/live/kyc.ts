/** Makes the ports of clients, of the records about them, and of the sources about their identity. */
import type { ListEffects } from '../../domain/screening/lists.ts';
import type { IdentitySettings } from '../identity/settings.ts';
import type { SerproSettings } from '../serpro.ts';
import { part, store } from './parts.ts';

const clients = store(async () => {
  const { clientStore } = await import('../dynamodb/clients.ts');
  return ({ dynamo, tables, random }) => clientStore(dynamo, tables.clients, random);
});

const kycReviews = store(async () => {
  const { kycReviewStore } = await import('../dynamodb/kyc-records.ts');
  return ({ dynamo, tables, random }) => kycReviewStore(dynamo, tables, random);
});

export const KYC_MAKERS = {
  clients,
  newClients: clients,
  personBlocks: store(async () => {
    const { personBlockStore } = await import('../dynamodb/person-blocks.ts');
    return ({ dynamo, tables, random }) => personBlockStore(dynamo, tables.personBlocks, random);
  }),
  litigationHolds: store(async () => {
    const { litigationHoldStore } = await import('../dynamodb/litigation-holds.ts');
    return ({ dynamo, tables, random }) => litigationHoldStore(dynamo, tables, random);
  }),
  evidence: store(async () => {
    const { evidenceStore } = await import('../dynamodb/records.ts');
    return ({ dynamo, tables }) => evidenceStore(dynamo, tables.evidence);
  }),
  kycRecords: store(async () => {
    const { kycRecordStore } = await import('../dynamodb/kyc-records.ts');
    return ({ dynamo, tables, random }) => kycRecordStore(dynamo, tables, random);
  }),
  kycReviews,
  dueReviews: kycReviews,
  overrulings: store(async () => {
    const { overrulingStore } = await import('../dynamodb/overrulings.ts');
    return ({ dynamo, tables, random }) => overrulingStore(dynamo, tables, random);
  }),
  rescreenings: store(async () => {
    const { rescreeningStore } = await import('../dynamodb/rescreenings.ts');
    return ({ dynamo, tables, random }) => rescreeningStore(dynamo, tables, random);
  }),
  staleRecords: store(async () => {
    const { staleRecordStore } = await import('../dynamodb/rescreenings.ts');
    return ({ dynamo, tables, random }) => staleRecordStore(dynamo, tables.kycRecords, random);
  }),
  caseMarks: store(async () => {
    const { caseMarkStore } = await import('../dynamodb/case-marks.ts');
    return ({ dynamo, tables, random }) => caseMarkStore(dynamo, tables.cases, random);
  }),
  identity: part(['secret', 'clock', 'callLimit'], async () => {
    const { identityProvider } = await import('../identity/sumsub.ts');
    return ({ secret, clock, callLimit }) =>
      identityProvider(() => secret<IdentitySettings>('identitySecret'), { clock, ...callLimit });
  }),
  cpfRegistry: part(['secret', 'clock', 'callLimit'], async () => {
    const { cpfRegistry } = await import('../cpf-registry/serpro.ts');
    return ({ secret, clock, callLimit }) =>
      cpfRegistry(() => secret<SerproSettings>('cpfRegistrySecret'), { clock, ...callLimit });
  }),
  companyRegistry: part(['secret', 'clock', 'callLimit'], async () => {
    const { companyRegistry } = await import('../company-registry/serpro.ts');
    return ({ secret, clock, callLimit }) =>
      companyRegistry(() => secret<SerproSettings>('companyRegistrySecret'), { clock, ...callLimit });
  }),
  listEffects: part(['settings'], async () => {
    const { LIST_EFFECTS } = await import('../../domain/screening/lists.ts');
    return ({ settings }): ListEffects => ({
      ...LIST_EFFECTS,
      ...JSON.parse(settings.require('listEffects')),
    });
  }),
};
