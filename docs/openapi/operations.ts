/**
 * The operations that the document describes: each route for partners, with the schemas that its endpoint
 * uses.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { ErrorCode } from '../../functions/domain/errors.ts';
import { getDefined } from '../../functions/domain/get.ts';
import { DELETE_ERRORS, GET_ERRORS, POST_ERRORS } from '../../functions/entry/endpoint.ts';
import { type PartnerRoute, ROUTES, type Route } from '../../functions/routes.ts';

export type Operation = {
  route: PartnerRoute;
  request: z.ZodObject;
  answer: z.ZodType;
  /** The error codes of the operation: first those of the checks that every endpoint makes, then its own. */
  errors: ErrorCode[];
  /**
   * The media type of the answer's second form, such as a PDF. Absent if the answer has only the JSON form.
   */
  documentType?: string;
};

type Described = {
  request: z.ZodObject;
  answer: () => z.ZodType;
  errors: readonly ErrorCode[];
  document?: { type: string };
};

const CHECKS = { GET: GET_ERRORS, DELETE: DELETE_ERRORS, POST: POST_ERRORS };

const PRODUCT = new URL('../../functions/', import.meta.url).pathname;

/** The endpoints of every stage. */
export const readProduct = (): Promise<Operation[]> => readOperations(PRODUCT, ROUTES);

/**
 * Imports the file below `api/` of each route for partners. Throws if an endpoint does not describe its
 * request, its answer and its errors.
 */
export async function readOperations(root: string, routes: readonly Route[]): Promise<Operation[]> {
  const files = readdirSync(join(root, 'api'), { recursive: true, encoding: 'utf8' });
  const partnerRoutes = routes.filter((route): route is PartnerRoute => route.scope !== undefined);
  return Promise.all(partnerRoutes.map((route) => readOperation(join(root, 'api'), files, route)));
}

async function readOperation(folder: string, files: string[], route: PartnerRoute): Promise<Operation> {
  const name = `${kebab(route.function)}.ts`;
  const file = getDefined(
    files.find((each) => each.split('/').at(-1) === name),
    name,
  );
  const module: unknown = await import(pathToFileURL(join(folder, file)).href);
  const { request, answer, errors, document } = (module as { handler: Partial<Described> }).handler;
  if (!(request instanceof z.ZodObject)) throw new Error(`${name} does not describe its request`);
  if (!answer || !errors) throw new Error(`${name} does not describe its answer and its errors`);
  const codes = [...new Set([...CHECKS[route.method], ...errors])];
  return { route, request, answer: answer(), errors: codes, documentType: document?.type };
}

const kebab = (id: string) => id.replace(/(?<!^)[A-Z]/g, '-$&').toLowerCase();
