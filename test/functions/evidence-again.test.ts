import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { RegistryEntry } from '../../functions/domain/kyc/kyc.ts';
import type { KycEvidence } from '../../functions/domain/kyc/kyc-decision.ts';
import { decideAgain, type Evidence } from '../../functions/domain/purchase/evidence.ts';
import { LIST_IDS } from '../../functions/domain/screening/lists.ts';
import type { Candidate } from '../../functions/domain/screening/screening.ts';
import { requireCleanWallet } from '../../functions/logic/purchase/require-clean-wallet.ts';
import { WALLET } from '../support/builders.ts';
import { newId, openPorts, type TestPorts } from '../support/ports.ts';
import { aRequest, HOLDER, partnerOf, reviewIs } from '../support/submissions.ts';
import { memoryTables } from '../support/tables.ts';

const tables = memoryTables();

const evidenceRows = async () => {
  const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: tables.names.evidence }));
  return Items as Evidence[];
};

async function submitted(arrange: (ports: TestPorts) => void, status: 'APPROVED' | 'PENDING' | 'REJECTED') {
  const ports = openPorts(tables);
  arrange(ports);
  const { partner, submit } = partnerOf(ports);
  const request = aRequest();
  await reviewIs(ports, { partnerId: partner.id, cpf: request.cpf }, status);
  // A refusal leaves a record, too.
  await submit(request).catch(() => undefined);
}

const candidate = (list: (typeof LIST_IDS)[number], score: number): Candidate => ({
  list,
  entryId: '4711',
  entryVersion: '0123456789abcdef',
  listed: 'alguem listado',
  score,
  threshold: 0.9,
  explanation: 'name equal, birth date unknown',
});
const entry = (changes: Partial<RegistryEntry>) => ({
  name: 'MARIA APARECIDA TESTE',
  birthDate: '1980-01-01',
  situation: 'REGULAR' as const,
  ...changes,
});

describe('the evidence table', () => {
  // docs/decisions.md, "Decisions are made from facts alone"
  test('gives every decision again from its record alone', async () => {
    const arrangements: ((ports: TestPorts) => void)[] = [
      () => undefined,
      ...LIST_IDS.flatMap((list) =>
        [0.95, 0.8, 0.3].map((score) => (ports: TestPorts) => {
          ports.sanctions.candidates = [candidate(list, score)];
        }),
      ),
      (ports) => {
        ports.cpfRegistry.entry = undefined;
      },
      ...[entry({ situation: 'DECEASED' }), entry({ birthDate: '2090-01-01' }), entry({ name: 'OUTRA' })].map(
        (known) => (ports: TestPorts) => {
          Object.assign(ports.cpfRegistry, { entry: known });
        },
      ),
      ...(['cpfRegistry', 'sanctions', 'identity'] as const).map((name) => (ports: TestPorts) => {
        ports[name].isDown = true;
      }),
    ];
    for (const arrange of arrangements) {
      for (const status of ['APPROVED', 'PENDING', 'REJECTED'] as const) await submitted(arrange, status);
    }
    for (const isSanctioned of [false, true]) {
      for (const entryId of [undefined, '99']) {
        const ports = openPorts(tables);
        Object.assign(ports.walletRisk, { isSanctioned, entryId, isBlocked: isSanctioned });
        const [transactionId, clientId] = [newId(), newId()];
        const check = { transactionId, clientId, asset: 'USDT', address: WALLET } as const;
        await requireCleanWallet(check, 'CheckWalletRisk', ports).catch(() => undefined);
      }
    }

    const rows = await evidenceRows();
    expect(rows.length).toBeGreaterThanOrEqual(3 * arrangements.length + 4);
    for (const row of rows) expect(decideAgain(row)).toEqual(row.decision);
    const statuses = rows.flatMap((row) => (row.kind === 'kyc' ? [row.decision.status] : []));
    for (const status of ['APPROVED', 'PENDING', 'REJECTED']) expect(statuses).toContain(status);
  });

  test('names lists, index, candidates and rules, and no personal data', async () => {
    const ports = openPorts(tables);
    ports.sanctions.candidates = [candidate('OFAC_SDN', 0.95)];
    const { partner, submit } = partnerOf(ports);
    const request = aRequest();
    const clientId = await reviewIs(ports, { partnerId: partner.id, cpf: request.cpf }, 'APPROVED');
    await expect(submit(request)).rejects.toMatchObject({ code: 'KYC_REJECTED' });

    const row = (await evidenceRows()).find(
      (each) => each.kind === 'kyc' && each.clientId === clientId,
    ) as KycEvidence;
    expect(row).toMatchObject({
      kind: 'kyc',
      decidedBy: 'SubmitKyc',
      inputs: { clientId, model: 1 },
      findings: { screening: { index: ports.sanctions.index, candidates: ports.sanctions.candidates } },
      decision: { status: 'REJECTED', reason: 'SANCTIONS_HIT' },
    });
    expect(row.decision.rules).toContain(
      'hit: OFAC_SDN 4711 (score 0.95 of 0.9, name equal, birth date unknown)',
    );
    const text = JSON.stringify(row).toUpperCase();
    for (const part of [request.cpf, ...HOLDER.name.toUpperCase().split(' '), HOLDER.birthDate])
      expect(text).not.toContain(part);
  });
});
