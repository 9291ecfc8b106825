import { RISK_TIERS } from '../functions/domain/kyc/kyc.ts';
import { CAP_NAMES, type Caps, capFault } from '../functions/domain/partners/caps.ts';
import { type ChangedQuota, MOST_LOOK_UPS } from '../functions/domain/partners/registry-quota.ts';
import { clientIdOf } from '../functions/logic/kyc/client-id.ts';
import { type Command, cpfIn, type Given, type Plan, requireText, requireWords } from './command.ts';
import { type Desk, requirePartner } from './desk.ts';
import { changePartnerRow, wordsOfQuota } from './partners.ts';
import { misused, refuseOrder } from './words.ts';

/**
 * Changes the caps for a partner's clients of one tier. functions/domain/purchase/charge-limits.ts has the defaults.
 */
export const tierLimitCommand: Command = {
  name: 'partners limits',
  takes: '<partner> --tier <tier> --caps <name=number,…|none>',
  about: 'replaces the changed caps of its clients of a tier, such as dailyBrl=20000; none is the default',
  options: ['tier', 'caps'],
  needsReason: true,
  run: limitTier,
};

export const clientLimitCommand: Command = {
  name: 'clients limits',
  takes: '<partner> --cpf <cpf> --caps <name=number,…|none>',
  about: 'replaces the changed caps of one client; they come before those of the tier',
  options: ['cpf', 'caps'],
  needsReason: true,
  run: limitClient,
};

export const quotaCommand: Command = {
  name: 'partners quota',
  takes: '<partner> --amount <number|default>',
  about:
    'replaces the number of paid look-ups of registries for it in a day; submissions may use nine tenths',
  options: ['amount'],
  needsReason: true,
  run: changeQuota,
};

async function limitTier(given: Given, desk: Desk): Promise<Plan> {
  const [id] = requireWords(given, '<partner>');
  const tier = RISK_TIERS.find((each) => each === requireText(given, 'tier'));
  if (!tier) return misused(`--tier is one of ${RISK_TIERS.join(', ')}.`);
  const caps = capsIn(given);
  const { limits } = await requirePartner(desk, id);
  return {
    subject: id,
    will: [`let clients of tier ${tier} at ${id} buy within ${wordsOfCaps(caps)}`],
    facts: { tier, from: limits?.[tier], to: caps },
    before: { tier, caps: limits?.[tier] },
    after: { tier, caps },
    async perform() {
      const { limits: present } = await requirePartner(desk, id);
      await changePartnerRow(desk, id, { limits: { ...present, [tier]: caps } });
      return [`${id}, tier ${tier}: ${wordsOfCaps(caps)}.`];
    },
  };
}

async function limitClient(given: Given, desk: Desk): Promise<Plan> {
  const [partnerId] = requireWords(given, '<partner>');
  await requirePartner(desk, partnerId);
  const caps = capsIn(given);
  const clientId = await clientIdOf({ partnerId, cpf: cpfIn(given) }, desk.lookup);
  const client = await desk.clients.findClient(clientId);
  if (!client) return refuseOrder(`${partnerId} has no client with this CPF.`);
  return {
    subject: clientId.slice(0, 12),
    clientId,
    will: [`let the client ${clientId.slice(0, 12)}… of ${partnerId} buy within ${wordsOfCaps(caps)}`],
    facts: { partnerId, from: client.limits, to: caps },
    before: { caps: client.limits },
    after: { caps },
    async perform() {
      await desk.clients.saveLimits(clientId, caps);
      return [`The client ${clientId.slice(0, 12)}…: ${wordsOfCaps(caps)}.`];
    },
  };
}

async function changeQuota(given: Given, desk: Desk): Promise<Plan> {
  const [id] = requireWords(given, '<partner>');
  const registryQuota = quotaIn(given);
  const { registryQuota: from } = await requirePartner(desk, id);
  return {
    subject: id,
    will: [`let ${id} cause ${wordsOfQuota(registryQuota)}`],
    facts: { from, to: registryQuota },
    before: { quota: from },
    after: { quota: registryQuota },
    async perform() {
      await changePartnerRow(desk, id, { registryQuota });
      return [`${id}: ${wordsOfQuota(registryQuota)}.`];
    },
  };
}

function quotaIn(given: Given): ChangedQuota {
  const text = requireText(given, 'amount');
  if (text === 'default') return {};
  const perDay = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (perDay <= MOST_LOOK_UPS) return { perDay };
  return misused(`--amount is a whole number from 0 to ${MOST_LOOK_UPS}, or default.`);
}

const wordsOfCaps = (caps: Partial<Caps>): string =>
  CAP_NAMES.flatMap((name) => (caps[name] === undefined ? [] : [`${name} ${caps[name]}`])).join(', ') ||
  'the default caps';

/** Reads caps such as `dailyBrl=20000,openCharges=2`. `none` removes all changes. */
function capsIn(given: Given): Partial<Caps> {
  const text = requireText(given, 'caps');
  if (text === 'none') return {};
  return Object.fromEntries(text.split(',').map(capIn));
}

function capIn(text: string) {
  const [word, digits = ''] = text.split('=');
  const name = CAP_NAMES.find((each) => each === word);
  if (!name) return misused(`--caps has names of ${CAP_NAMES.join(', ')}.`);
  const cap = /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
  const fault = capFault(name, cap);
  return fault ? misused(`${fault}.`) : ([name, cap] as const);
}
