import * as z from 'zod';
import { endpoint, GET_NEEDS } from '../../functions/entry/endpoint.ts';
import { companyScenarios, scenarios } from '../providers/scenarios.ts';
import { TRIGGER_NAMES, TRIGGERS } from '../providers/triggers.ts';
import { sandboxRouteOf } from '../routes.ts';

const Collected = () => z.object({ name: z.string(), birthDate: z.iso.date(), documentNumber: z.string() });

const Answer = () =>
  z.object({
    scenarios: z.array(z.object({ cpf: z.string(), forces: z.string(), collected: Collected().optional() })),
    companies: z.array(z.object({ cnpj: z.string(), forces: z.string() })),
    triggers: z.array(
      z.object({
        event: z.enum(TRIGGER_NAMES),
        title: z.string(),
        of: z.enum(['purchase', 'client']),
        forces: z.string(),
      }),
    ),
  });

export const needs = GET_NEEDS;

/**
 * Lists the CPFs, CNPJs and events that force an outcome. For a scenario of Model 3 it also returns the
 * client's data that a partner would collect.
 */
export async function listScenarios() {
  return {
    scenarios: scenarios.map(({ cpf, forces, collected }) => ({
      cpf,
      forces,
      ...(collected && { collected }),
    })),
    companies: companyScenarios.map(({ cnpj, forces }) => ({ cnpj, forces })),
    triggers: TRIGGER_NAMES.map((event) => {
      const { title, of, forces } = TRIGGERS[event];
      return { event, title, of, forces };
    }),
  };
}

export const handler = endpoint(
  sandboxRouteOf('ListScenarios'),
  { request: z.object({}), answer: Answer, errors: [], needs: GET_NEEDS },
  listScenarios,
);
