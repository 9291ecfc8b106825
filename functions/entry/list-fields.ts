import * as z from 'zod';

const MOST = 100;

/** The fields with which a caller reads a list page by page. */
export const LIST_FIELDS = {
  limit: z.coerce.number().int().min(1).max(MOST).default(20).describe('The most entries of a page.'),
  cursor: z.string().max(500).optional(),
};
