import { type ApiKey, KEY_SCOPES, type KeyScope, keyScopes } from '../functions/domain/partners/api-key.ts';
import { isPartnerId } from '../functions/domain/partners/partner.ts';
import { newApiKey } from '../functions/logic/partners/api-keys.ts';
import { type Command, type Given, type Plan, requireText, requireWords } from './command.ts';
import { type Desk, requirePartner } from './desk.ts';
import { instant, misused, refuseOrder } from './words.ts';

export const keyCommands: Command[] = [
  {
    name: 'keys create',
    takes: '<partner> [<key>] [--scopes <read,write,manage>]',
    about: 'makes a key and shows it once; by default it is the next of key1, key2, …, and reads and writes',
    options: ['scopes'],
    run: createKey,
  },
  {
    name: 'keys approve',
    takes: '<partner> <key>',
    about: 'lets a key that the partner made work at once, without its webhook endpoints',
    needsReason: true,
    run: approveApiKey,
  },
  {
    name: 'keys revoke',
    takes: '<partner> <key>',
    about: 'refuses the key for ever, from its next request on',
    needsReason: true,
    run: revokeKey,
  },
];

async function createKey(given: Given, desk: Desk): Promise<Plan> {
  const isNamed = given.words.length > 1;
  const [id, wanted] = isNamed ? requireWords(given, '<partner>', '<key>') : requireWords(given, '<partner>');
  const partner = await requirePartner(desk, id);
  const keyId = wanted ?? nextName(partner.keyIds);
  if (!isPartnerId(keyId)) misused('A key’s id is 1 to 32 of a-z and 0-9.');
  const found = await desk.partners.findKey(partner.id, keyId);
  const isDone = found !== undefined && found.createdAt === given.resumed?.at;
  if (found && !isDone) refuseOrder(`${id} has had a key ${keyId} already.`);
  const scopes = scopesFrom(given);
  return {
    subject: partner.id,
    words: [partner.id, keyId],
    will: [`make the key ${keyId} of ${id} (${partner.name}) with ${scopes.join(', ')}, and show it once`],
    facts: { keyId, scopes },
    before: { keyId: 'none' },
    after: { keyId, scopes },
    isDone,
    doneWords: `The key ${keyId} was made, and its text is lost: keys revoke it, and make another.`,
    async perform({ at: createdAt }) {
      const { text, sha256 } = newApiKey({ stage: desk.stage, partnerId: partner.id, keyId }, desk.random);
      const key: ApiKey = { partnerId: partner.id, keyId, sha256, scopes, status: 'ACTIVE', createdAt };
      if (!(await desk.register.createKey(partner, key)))
        refuseOrder(`${id} was changed meanwhile: try again.`);
      return [text];
    },
  };
}

/** The scopes of a new key. Only this command can make keys with `manage`: docs/decisions.md, "API keys". */
function scopesFrom(given: Given): KeyScope[] {
  if (given.flags.scopes === undefined) return ['read', 'write'];
  const named = requireText(given, 'scopes').split(',');
  const wrong = named.find((each) => !KEY_SCOPES.some((scope) => scope === each));
  if (wrong !== undefined) misused(`--scopes are some of ${KEY_SCOPES.join(', ')}, not ${wrong}.`);
  return KEY_SCOPES.filter((scope) => named.includes(scope));
}

function nextName(keyIds: string[]): string {
  for (let number = keyIds.length + 1; ; number++) {
    if (!keyIds.includes(`key${number}`)) return `key${number}`;
  }
}

async function approveApiKey(given: Given, desk: Desk): Promise<Plan> {
  const [id, keyId] = requireWords(given, '<partner>', '<key>');
  const key = await desk.partners.findKey(id, keyId);
  if (!key?.made) refuseOrder(`${id} has made no key ${keyId}.`);
  const isDone = key.approvedAt !== undefined && key.approvedAt === given.resumed?.at;
  if (key.approvedAt !== undefined && !isDone) refuseOrder(`The key ${keyId} of ${id} is approved already.`);
  const scopes = keyScopes(key);
  return {
    subject: id,
    will: [
      `let the key ${keyId} of ${id} work, with ${scopes.join(', ')}, until ${instant(key.made.expiresAt)}`,
      `the key ${key.made.maker} made it; ask the partner first, because a thief would ask for this`,
    ],
    facts: { keyId, scopes },
    before: { keyId, maker: key.made.maker, expiresAt: key.made.expiresAt },
    after: { keyId, scopes, approved: true },
    isDone,
    async perform({ at }) {
      if (!(await desk.register.approveKey(id, keyId, at))) refuseOrder(`There is no key ${keyId}.`);
      return [`The key ${keyId} of ${id} works.`];
    },
  };
}

async function revokeKey(given: Given, desk: Desk): Promise<Plan> {
  const [id, keyId] = requireWords(given, '<partner>', '<key>');
  const key = await desk.partners.findKey(id, keyId);
  if (!key) refuseOrder(`${id} has no key ${keyId}.`);
  if (key.status === 'REVOKED') refuseOrder(`The key ${keyId} of ${id} is revoked already.`);
  return {
    subject: id,
    will: [`revoke the key ${keyId} of ${id}, made ${instant(key.createdAt)}; this cannot be undone`],
    facts: { keyId },
    before: { keyId, status: key.status },
    after: { keyId, status: 'REVOKED' },
    async perform() {
      await desk.partners.revokeKey(id, keyId);
      return [`The key ${keyId} of ${id} is REVOKED.`];
    },
  };
}
