import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PRODUCTION_LISTS } from '../../infra/bundled-lists.ts';
import { onrampApp } from '../../infra/onramp-app.ts';
import { ROUTES } from '../../sandbox/routes.ts';
import { type Synthesized, synthesized } from './synthesized.ts';

let production: Synthesized;
beforeAll(async () => {
  production = await synthesized('production');
});

describe('production', () => {
  // Spec, What the service does: "production at {base_url}, sandbox at {sandbox_base_url}"
  // docs/decisions.md, "The sandbox's endpoints and keys"
  it('has no part of the sandbox: no simulator, route, seeded key, credential or loopback', () => {
    const text = JSON.stringify(production.template.toJSON());

    for (const { function: name, path } of ROUTES) {
      expect(text.includes(name), name).toBe(false);
      expect(text.includes(path), path).toBe(false);
    }
    const traces = /simulator|sandbox|sk_(?:sandbox|production)_|LOOPBACK|31337|127\.0\.0\.1|localhost/gi;
    expect(text.match(traces) ?? []).toEqual([]);
    expect(Object.keys(production.resources('AWS::ApiGateway::RestApi'))).toHaveLength(2);
  });

  it('has no code of the sandbox', () => {
    const { files } = JSON.parse(
      readFileSync(join(production.outdir, 'OnrampProduction.assets.json'), 'utf8'),
    ) as { files: Record<string, { source: { packaging: string; path: string } }> };
    const zips = Object.values(files).filter(({ source }) => source.packaging === 'zip');

    // The code is there alone, with the pages and, if this machine has a copy of the lists, with that copy.
    expect(zips.length).toBe(existsSync(PRODUCTION_LISTS) ? 3 : 2);
    for (const { source } of zips) {
      expect(readdirSync(join(production.outdir, source.path))).not.toContain('providers');
    }
  });

  it('keeps its data', () => {
    const tables = Object.entries(production.resources('AWS::DynamoDB::Table'));
    for (const [id, { Properties, DeletionPolicy }] of tables) {
      expect(DeletionPolicy, id).toBe('Retain');
      expect(Properties, id).toMatchObject({
        DeletionProtectionEnabled: true,
        // The witness must not go back in time with the other tables.
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: !id.startsWith('TablesWitness') },
      });
    }
    for (const type of [
      'AWS::KMS::Key',
      'AWS::SecretsManager::Secret',
      'AWS::S3::Bucket',
      'AWS::Logs::LogGroup',
    ]) {
      for (const [id, { DeletionPolicy }] of Object.entries(production.resources(type))) {
        expect(DeletionPolicy, id).toBe('Retain');
      }
    }
    const machines = Object.values(production.resources('AWS::StepFunctions::StateMachine'));
    expect(machines.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(['RetainExceptOnCreate']);
  });

  it('streams the events and no other table', () => {
    const streaming = Object.entries(production.resources('AWS::DynamoDB::Table'))
      .filter(([, { Properties }]) => Properties.StreamSpecification)
      .map(([id]) => id.slice(0, -8));

    expect(streaming).toEqual(['TablesEvents']);
  });

  it('keeps its logs for a year', () => {
    for (const { Properties } of Object.values(production.resources('AWS::Logs::LogGroup'))) {
      expect(Properties.RetentionInDays).toBe(365);
    }
  });

  // Spec, Initiate a transaction: "on the single EVM network"
  // docs/settlement.md, "Steps"
  it('pays on Polygon with the issuers’ tokens', () => {
    expect(JSON.parse(String(production.environmentOf('SettleStablecoin').CHAIN))).toMatchObject({
      chainId: 137,
      tokens: {
        USDT: { address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F' },
        USDC: { address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' },
      },
      sanctionsOracle: '0x40C57923924B5c5c5455c48D93317139ADDaC8fb',
      finality: 'finalized',
    });
  });

  it('has no secret before an operator enters it', () => {
    for (const [id, { Properties }] of Object.entries(production.resources('AWS::SecretsManager::Secret'))) {
      expect(Properties, id).not.toHaveProperty('SecretString');
    }
  });

  it.each([1, 59, 0])('refuses a minute of %i seconds', async (minuteSeconds) => {
    await expect(onrampApp({ stage: 'production', minuteSeconds })).rejects.toThrow(/minute/i);
  });

  it.each([5, 0.5])('refuses a patience of %d', async (patience) => {
    await expect(onrampApp({ stage: 'production', patience })).rejects.toThrow(/patience/i);
  });

  it('needs no account for its synthesis', () => {
    expect(production.stack.environment).toBe('aws://unknown-account/sa-east-1');
  });
});

it('refuses a stage that is neither sandbox nor production', async () => {
  await expect(onrampApp({ stage: 'prod' })).rejects.toThrow('There is no stage prod');
});
