import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Identity } from './certificates.ts';
import type { Template } from './template.ts';
import { fields, text } from './wire.ts';

/**
 * A custom domain of API Gateway. A domain with a trust store requires a client certificate from each caller.
 */
export type Domain = { name: string; trustStore?: { bucket: string; key: string } };

/** The custom domain that a base path mapping connects to the API. */
export function domainOf(template: Template, apiId: string): Domain | undefined {
  const all = (type: string) => template.ofType(type).map(({ logicalId }) => template.properties(logicalId));
  const mapping = all('AWS::ApiGateway::BasePathMapping').find(
    ({ RestApiId }) => RestApiId === template.ref(apiId),
  );
  const found = all('AWS::ApiGateway::DomainName').find(
    ({ DomainName }) => DomainName === mapping?.DomainName,
  );
  if (!mapping || !found) return undefined;
  const uri = text(fields(found.MutualTlsAuthentication).TruststoreUri);
  const [, bucket = '', key = ''] = /^s3:\/\/([^/]+)\/(.+)$/.exec(uri) ?? [];
  return { name: text(found.DomainName), ...(uri && { trustStore: { bucket, key } }) };
}

type ApiServer = {
  server: Server;
  scheme: 'http' | 'https';
  /**
   * Trusts the certificate authorities in this PEM text. Before this call a TLS server refuses every caller.
   */
  trust(authorities: string): void;
};

/**
 * Makes the server of an API. It uses plain HTTP unless the domain has a trust store, because only this
 * machine can connect. If an unknown authority signed the caller's certificate, the TLS handshake fails here,
 * while API Gateway answers 403.
 */
export function serverOf(
  domain: Domain | undefined,
  identity: Identity | undefined,
  listener: RequestListener,
): ApiServer {
  if (!domain?.trustStore)
    return { server: createHttpServer(listener), scheme: 'http', trust: () => undefined };
  if (!identity) throw new Error(`${domain.name} asks for certificates, and has none of its own`);
  const server = createTlsServer(
    { ...identity, requestCert: true, rejectUnauthorized: true, ca: [] },
    listener,
  );
  return { server, scheme: 'https', trust: (ca) => server.setSecureContext({ ...identity, ca }) };
}
