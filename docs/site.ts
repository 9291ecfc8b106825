/** The files that `GetDocs` serves, by their paths. To add a page, add a file here: its name gives its type. */
import { openApiDocument } from './openapi/document.ts';
import { type Operation, readProduct } from './openapi/operations.ts';

export type SiteFiles = Record<string, string>;

/**
 * @param others the operations that only this stage has
 * @param server the address of the API, where it is known
 */
export async function siteFiles(others: readonly Operation[], server?: string): Promise<SiteFiles> {
  const document = openApiDocument([...(await readProduct()), ...others], server);
  return { '/openapi.json': JSON.stringify(document) };
}
