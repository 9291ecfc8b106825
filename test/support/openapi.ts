import { openApiDocument } from '../../docs/openapi/document.ts';
import { type Operation, readProduct } from '../../docs/openapi/operations.ts';
import type { Document } from '../../docs/openapi/schemas.ts';
import { readSandbox } from '../../infra/sandbox.ts';

/** The operations of the stage sandbox: those of every stage, and its own. */
export async function allOperations(): Promise<Operation[]> {
  const sandbox = await readSandbox();
  return [...(await readProduct()), ...(await sandbox.readOperations())];
}

/** The document as a sandbox serves it. */
export async function sandboxDocument(): Promise<Document> {
  return JSON.parse(JSON.stringify(openApiDocument(await allOperations()))) as Document;
}
