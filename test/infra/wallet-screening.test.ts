import { beforeAll, describe, expect, it } from 'vitest';
import { onrampApp } from '../../infra/onramp-app.ts';
import { readSources } from '../../infra/sources.ts';
import { type Synthesized, synthesized } from './synthesized.ts';

const SECRET = 'SecretsWalletScreening';

const functionsIn = ({ resources }: Synthesized) =>
  Object.entries(resources('AWS::Lambda::Function')).map(([id, { Properties }]) => ({
    name: id.slice(0, -8),
    environment: JSON.stringify(Properties.Environment ?? {}),
  }));
const toldIn = (stack: Synthesized) =>
  functionsIn(stack)
    .filter(({ environment }) => environment.includes('WALLET_SCREENING_SECRET'))
    .map(({ name }) => name)
    .sort();

/** The roles with a permission that names the resource. */
const readersOf = (id: string, { policies }: Synthesized) =>
  policies()
    .filter(({ statements }) => JSON.stringify(statements).includes(`"${id}"`))
    .flatMap(({ roles }) => roles.map((role) => role.replace(/Role[0-9A-F]{8}$/, '')))
    .sort();

/** The functions that ask for the risk of a wallet. */
let asking: string[];
let bare: Synthesized;
let screened: Synthesized;
beforeAll(async () => {
  const sources = await readSources(new URL('../../functions/', import.meta.url).pathname);
  asking = sources.filter(({ needs }) => needs.includes('walletRisk')).map(({ id }) => id);
  bare = await synthesized('production');
  screened = await synthesized('production', { walletScreening: 'chainalysis' });
});

describe('the vendor of wallet risk', () => {
  it('does not exist in production by default: no secret, no variable, no grant', () => {
    expect(JSON.stringify(bare.template.toJSON())).not.toMatch(/WalletScreening|WALLET_SCREENING/);
  });

  it('exists if cdk.json or the command line names it, only for functions that use it', () => {
    const [id, ...others] = Object.keys(screened.resources('AWS::SecretsManager::Secret')).filter((each) =>
      each.startsWith(SECRET),
    );
    expect(others).toEqual([]);
    expect(asking).toEqual(expect.arrayContaining(['CheckWalletRisk', 'InitiateTransaction', 'SubmitKyc']));
    expect(toldIn(screened)).toEqual(asking.toSorted());
    expect(readersOf(id!, screened)).toEqual(asking.toSorted());
    expect(screened.template.toJSON().Outputs).toHaveProperty('WalletScreeningSecret');
  });

  it('has no secret before an operator enters it, and the secret is kept', () => {
    const secrets = Object.entries(screened.resources('AWS::SecretsManager::Secret'));
    const [, secret] = secrets.find(([id]) => id.startsWith(SECRET))!;

    expect(secret.Properties).not.toHaveProperty('SecretString');
    expect(secret.DeletionPolicy).toBe('Retain');
  });

  it('is simulated in the sandbox', async () => {
    expect(toldIn(await synthesized('sandbox'))).toEqual(asking.toSorted());
    expect(toldIn(await synthesized('sandbox', { walletScreening: 'none' }))).toEqual([]);
  });

  it.each(['elliptic', '', true])('cannot be %j', async (walletScreening) => {
    await expect(onrampApp({ stage: 'production', walletScreening })).rejects.toThrow(/walletScreening/);
  });
});

it('a function that only checks wallets may read the publication of the lists, and no other object', () => {
  const objects = bare
    .statementsOf('InitiateTransaction')
    .filter(({ Action }) => [Action].flat().includes('s3:GetObject'))
    .map(({ Resource }) => JSON.stringify(Resource));

  expect(objects).toEqual([expect.stringMatching(/^[^*]*\/lists\/current\.json"\]\]\}$/)]);
});
