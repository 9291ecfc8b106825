/** The fields of a webhook endpoint that a partner sets when it creates or changes the endpoint. */
import * as z from 'zod';
import { FILTERED_TYPES } from '../domain/partners/webhook-endpoint.ts';

const LONGEST_URL = 2048;
const LONGEST_DESCRIPTION = 200;
/** A longer list would only repeat types. */
const MOST_TYPES = FILTERED_TYPES.length;

export const EndpointUrl = z.string().max(LONGEST_URL);

export const ENDPOINT_FIELDS = {
  /** If false, the endpoint gets only test events and events about keys until it is enabled. */
  enabled: z.boolean().optional(),
  description: z
    .string()
    .max(LONGEST_DESCRIPTION)
    .refine((text) => text.isWellFormed(), 'is not well-formed text')
    .optional(),
  /** An empty list means every type. */
  eventTypes: z.array(z.enum(FILTERED_TYPES)).max(MOST_TYPES).optional(),
};
