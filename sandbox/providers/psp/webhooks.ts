import type { Context, Hono } from 'hono';
import type { Settings, World } from '../world.ts';
import { requireScope } from './auth.ts';
import { type Webhook, webhookKey } from './callback.ts';
import { readFields } from './charges.ts';
import { fail } from './problem.ts';
import { notSchema } from './validate.ts';

export function mountWebhooks(v2: Hono, world: World): void {
  v2.put('/webhook/:chave', requireScope(world, 'webhook.write'), (c) => putWebhook(c, world));
  v2.get('/webhook/:chave', requireScope(world, 'webhook.read'), (c) => getWebhook(c, world));
  v2.delete('/webhook/:chave', requireScope(world, 'webhook.write'), (c) => deleteWebhook(c, world));
}

async function putWebhook(c: Context, world: World): Promise<Response> {
  const chave = c.req.param('chave') ?? '';
  const { webhookUrl } = await readFields(c);
  if (chave !== world.settings.psp.chave) {
    const razao = 'O parâmetro chave não corresponde a uma chave DICT pertencente a este usuário recebedor.';
    fail('WebhookOperacaoInvalida', [{ razao, propriedade: 'chave', valor: chave }]);
  }
  if (!isCallbackUrl(webhookUrl, world.settings)) {
    fail('WebhookOperacaoInvalida', [notSchema('webhook.webhookUrl', webhookUrl)]);
  }
  const webhook: Webhook = { webhookUrl, criacao: world.now().toISOString() };
  await world.store.put(webhookKey(chave), webhook);
  return c.body(null, 200);
}

async function getWebhook(c: Context, world: World): Promise<Response> {
  const { webhookUrl, criacao } = await requireWebhook(c, world);
  return c.json({ webhookUrl, chave: c.req.param('chave'), criacao });
}

async function deleteWebhook(c: Context, world: World): Promise<Response> {
  const webhook = await requireWebhook(c, world);
  await world.store.put(webhookKey(c.req.param('chave') ?? ''), { ...webhook, webhookUrl: null });
  return c.body(null, 204);
}

async function requireWebhook(c: Context, world: World): Promise<Webhook> {
  const webhook = (await world.store.get<Webhook>(webhookKey(c.req.param('chave') ?? '')))?.value;
  return webhook?.webhookUrl ? webhook : fail('WebhookNaoEncontrado');
}

// A PSP accepts only https for callbacks. A local sandbox has no public certificate, and so this PSP can also
// accept http to this machine itself.
function isCallbackUrl(value: unknown, { allowLoopback }: Settings): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || (protocol === 'http:' && allowLoopback && LOOPBACK.test(hostname));
}

const LOOPBACK = /^(127(\.\d+){3}|localhost|\[::1\])$/;
