/**
 * The files that the function `GetDocs` serves, by their paths. To add a page, add a file here. The extension
 * of its path decides its media type.
 */
import { openApiDocument } from './openapi/document.ts';
import { type Operation, readProduct } from './openapi/operations.ts';
import { partnerSite, type SiteStage } from './site/partner-site.ts';

export type SiteFiles = Record<string, string>;

type SiteOptions = {
  stage: SiteStage;
  /** The operations that only this stage has. */
  others: readonly Operation[];
  /** The address of the API, where it is known. */
  server?: string;
};

export async function siteFiles({ stage, others, server }: SiteOptions): Promise<SiteFiles> {
  const document = openApiDocument([...(await readProduct()), ...others], server);
  return { ...partnerSite(stage), '/openapi.json': JSON.stringify(document) };
}
