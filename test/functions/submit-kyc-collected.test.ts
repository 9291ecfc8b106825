import { describe, expect, test } from 'vitest';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { openPorts, type TestPorts } from '../support/ports.ts';
import { aRequest, clientIdOf, HOLDER, partnerOf } from '../support/submissions.ts';
import { allRowsIn, memoryTables } from '../support/tables.ts';

const COLLECTED = { name: HOLDER.name, birthDate: HOLDER.birthDate, documentNumber: '12.345.678-9' };
const DOCUMENT = { ...HOLDER, documentNumbers: ['123456789'] };
const refused = { code: 'KYC_REJECTED', details: { reason: 'DATA_MISMATCH' } };

type Review = NonNullable<Awaited<ReturnType<TestPorts['identity']['findReview']>>>;

/** A client of Model 3 with tables of its own, whose document at the provider is this one. */
async function aClient(changes: Parameters<typeof aRequest>[0] = {}) {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const { partner, submit } = partnerOf(ports);
  const request = aRequest({ mode: 'shared', ...COLLECTED, ...changes });
  const clientId = await clientIdOf(ports, partner.id, request.cpf);
  const says = (status: Review['status'], holder: Review['holder'] = DOCUMENT) =>
    ports.identity.reviews.set(clientId, { applicantId: 'a1', status, holder });
  says('APPROVED');
  const evidence = async () => {
    const rows = (await allRowsIn(tables)).filter(({ kind }) => kind === 'kyc');
    return rows.sort((one, other) => Number(one.at) - Number(other.at)) as Record<string, object>[];
  };
  const review = () => {
    ports.clock.advance(MINUTE_MS);
    return reviewPendingKyc(ports);
  };
  const recordOf = (token: string) => ports.kycRecords.findRecord(token);
  return {
    ports,
    tables,
    clientId,
    submit: (others = {}) => submit({ ...request, ...others }),
    says,
    evidence,
    review,
    recordOf,
  };
}

// docs/decisions.md, "Data that the partner collected"
describe('data that the partner collected', () => {
  // Spec, What the service does: "both data sets are cross-checked"
  test('approve the client if registry and document agree', async () => {
    const { submit, evidence } = await aClient();

    expect(await submit()).toMatchObject({ status: 'APPROVED' });

    const [only] = await evidence();
    expect(only).toMatchObject({
      findings: {
        crossCheck: {
          registry: { name: 'SAME', birthDate: 'SAME', documentNumber: 'UNKNOWN' },
          document: { name: 'SAME', birthDate: 'SAME', documentNumber: 'SAME' },
        },
      },
    });
  });

  test.each([
    ['name', { name: 'Outra Pessoa' }],
    ['birth date', { birthDate: '1980-01-02' }],
    ['document number', { documentNumber: '12.345.678-0' }],
  ])('refuse the client if the %s differs', async (_, changes) => {
    const { submit, evidence } = await aClient(changes);

    await expect(submit()).rejects.toMatchObject(refused);

    expect(await evidence()).toMatchObject([{ decision: { status: 'REJECTED', reason: 'DATA_MISMATCH' } }]);
  });

  test('that differ from the registry make no applicant at the provider', async () => {
    const { submit, ports } = await aClient({ birthDate: '1980-01-02' });

    await expect(submit()).rejects.toMatchObject(refused);

    expect(ports.identity.applicants).toEqual([]);
  });

  test('that differ bind no other token of the client, and a corrected submission is approved', async () => {
    const { ports, submit, clientId } = await aClient();
    await submit();

    await expect(submit({ name: 'Marta Aparecida Teste' })).rejects.toMatchObject(refused);

    expect(await ports.clients.findClient(clientId)).not.toHaveProperty('rejectedAt');
    expect(await submit()).toMatchObject({ status: 'APPROVED' });
  });

  test.each([
    ['has no number', { ...HOLDER }],
    ['has no number that says anything', { ...HOLDER, documentNumbers: ['000'] }],
  ])('approve the client if the document %s, and the evidence says so', async (_, holder) => {
    const { submit, says, evidence } = await aClient();
    says('APPROVED', holder);

    expect(await submit()).toMatchObject({ status: 'APPROVED' });

    expect(await evidence()).toMatchObject([
      { findings: { crossCheck: { document: { documentNumber: 'UNKNOWN' } } } },
    ]);
  });

  test('may be a part of all data', async () => {
    const { submit, evidence } = await aClient({ birthDate: undefined, documentNumber: undefined });

    expect(await submit()).toMatchObject({ status: 'APPROVED' });

    expect(await evidence()).toMatchObject([
      { findings: { crossCheck: { registry: { name: 'SAME' }, document: { name: 'SAME' } } } },
    ]);
  });

  test('leave no cross-check where the partner gave none', async () => {
    const { submit, evidence } = await aClient({
      name: undefined,
      birthDate: undefined,
      documentNumber: undefined,
    });

    expect(await submit()).toMatchObject({ status: 'APPROVED' });

    const [only] = await evidence();
    expect(only!.findings).not.toHaveProperty('crossCheck');
    expect(only!.inputs).not.toHaveProperty('keyedCollected');
  });
});

// docs/decisions.md, "Data that the partner collected"
describe('a PENDING record with data that the partner collected', () => {
  test.each([
    ['approved if the document agrees', DOCUMENT, { status: 'APPROVED' }],
    [
      'rejected if the document has another number',
      { ...HOLDER, documentNumbers: ['123456780'] },
      { status: 'REJECTED', reason: 'DATA_MISMATCH' },
    ],
    ['approved if the document has no number', HOLDER, { status: 'APPROVED' }],
  ])('is %s', async (_, holder, outcome) => {
    const { submit, says, review, recordOf } = await aClient();
    says('PENDING');
    const { token, status } = await submit();
    expect(status).toBe('PENDING');

    says('APPROVED', holder);
    await review();

    expect(await recordOf(token)).toMatchObject(outcome);
    expect(await recordOf(token)).not.toHaveProperty('keyedCollected');
  });

  test('waits for the document that the client may still replace', async () => {
    const { submit, says, review, recordOf } = await aClient();
    says('PENDING', { ...HOLDER, documentNumbers: ['55'] });
    const { token } = await submit();

    await review();

    expect(await recordOf(token)).toMatchObject({ status: 'PENDING' });
  });

  test('is compared with the registry once it answers', async () => {
    const { submit, ports, says, review, recordOf } = await aClient({ name: 'Outra Pessoa' });
    says('PENDING');
    ports.cpfRegistry.isDown = true;
    const { token, status } = await submit();
    expect(status).toBe('PENDING');

    ports.cpfRegistry.isDown = false;
    await review();

    expect(await recordOf(token)).toMatchObject({ status: 'REJECTED', reason: 'DATA_MISMATCH' });
  });

  test('does not share the decision about another record of the client', async () => {
    const { submit, says, review, recordOf } = await aClient();
    says('PENDING');
    const good = await submit();
    const bad = await submit({ documentNumber: '55' });
    says('APPROVED');

    await review();

    expect(await recordOf(good.token)).toMatchObject({ status: 'APPROVED' });
    expect(await recordOf(bad.token)).toMatchObject({ status: 'REJECTED' });
  });
});

// docs/decisions.md, "Data that the partner collected"
test('what the partner collected is in no row and no log, whatever happens', async () => {
  const { submit, says, review, tables, ports, clientId } = await aClient();
  const traces = ['MARIA', 'APARECIDA', '1980-01-01', '12345678', '12.345.678'];
  says('PENDING');
  const { token } = await submit();

  const waiting = (await ports.kycRecords.findRecord(token))!;
  expect(waiting.keyedCollected).toEqual({
    name: Array(3).fill(expect.stringMatching(/^[0-9a-f]{64}$/)),
    birthDate: [expect.stringMatching(/^[0-9a-f]{64}$/)],
    documentNumber: [expect.stringMatching(/^[0-9a-f]{64}$/)],
  });
  says('APPROVED', { ...HOLDER, documentNumbers: ['55'] });
  await review();

  const kept = JSON.stringify([await allRowsIn(tables), ports.log.lines]).toUpperCase();
  for (const trace of traces) expect(kept).not.toContain(trace);
  expect(clientId).toMatch(/^[0-9a-f]{64}$/);
});
