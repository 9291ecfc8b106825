/**
 * A simulated issuer of OpenID Connect, at which anybody can sign in as one of a few invented people. It has
 * the protocol of a real issuer: discovery, the authorization code with PKCE, tokens, keys and errors. A test
 * can make it give wrong tokens.
 */
import { createServer } from 'node:http';
import { Hono } from 'hono';
import { closeServer, listen } from '../cloud/http-server.ts';
import { serve } from '../local-console.ts';
import { authorization } from './authorization.ts';
import { newKeys, type Registered, type SimulatedIssuer } from './state.ts';
import { tokens } from './tokens.ts';

export async function startIssuer(registered: Registered): Promise<SimulatedIssuer> {
  const app = new Hono();
  const server = createServer((request, response) => {
    void serve(request, response, (each) => app.fetch(each));
  });
  const issuer: SimulatedIssuer = {
    registered,
    url: await listen(server, 0),
    wrong: {},
    keys: await newKeys(),
    codes: new Map(),
    async rotate() {
      issuer.keys = await newKeys();
    },
    stop: () => closeServer(server),
  };
  app.route('/', authorization(issuer));
  app.use(async (_, next) => (issuer.instead ? issuer.instead() : next()));
  app.get('/.well-known/openid-configuration', (context) => context.json(discoveryOf(issuer)));
  app.get('/jwks', (context) => context.json({ keys: [issuer.keys.jwk] }));
  app.route('/', tokens(issuer));
  return issuer;
}

const discoveryOf = ({ url }: SimulatedIssuer) => ({
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
});
