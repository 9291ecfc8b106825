/** Stores the public keys of the partners' KYC vendors, which are part of the partners' rows. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import type { VendorKeys } from '../../domain/partners/partner-ports.ts';
import type { Random } from '../../domain/ports.ts';
import { partnerChange, partnerStore } from './partners.ts';
import { eventRow } from './records.ts';
import { isRefused, putNew, writeAll } from './table.ts';

type Tables = { partners: string; events: string };

export function vendorKeyStore(
  client: DynamoDBDocumentClient,
  { partners: table, events }: Tables,
  random: Random,
): VendorKeys {
  const { findPartner } = partnerStore(client, table, random);
  return {
    findPartner,
    async save(partner, set, event) {
      const items = [
        { Update: partnerChange(table, partner, set) },
        { Put: putNew(events, eventRow(event)) },
      ];
      const written = await writeAll(client, items, random);
      if (written === 'UNKNOWN') throw new Unavailable('the partner’s row');
      // A refused put of the event means that the event exists. An earlier run of the same request has then
      // made the change, and its answer was lost.
      return written === 'WRITTEN' || isRefused(written[1]);
    },
  };
}
