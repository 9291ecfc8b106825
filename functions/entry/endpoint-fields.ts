/** The fields of a webhook endpoint that a partner may set, at the start and later. */
import * as z from 'zod';
import { FILTERED_TYPES } from '../domain/partners/webhook-endpoint.ts';

const LONGEST_URL = 2048;
const LONGEST_DESCRIPTION = 200;
/** More entries than types are repetitions. */
const MOST_TYPES = FILTERED_TYPES.length;

export const EndpointUrl = z.string().max(LONGEST_URL);

export const ENDPOINT_FIELDS = {
  /** False: it gets no event until it is enabled, except test events. */
  enabled: z.boolean().optional(),
  description: z
    .string()
    .max(LONGEST_DESCRIPTION)
    .refine((text) => text.isWellFormed(), 'is not well-formed text')
    .optional(),
  /** Empty: every type. */
  eventTypes: z.array(z.enum(FILTERED_TYPES)).max(MOST_TYPES).optional(),
};
