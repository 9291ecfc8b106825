import type { ListId } from '../../domain/screening/lists.ts';
import { cguRegister } from './cgu-sanctions.ts';
import type { ListFormat } from './list-format.ts';
import { ofacList } from './ofac.ts';
import { exposedPersons } from './pep.ts';
import { unList } from './un.ts';

/**
 * How each list is downloaded and parsed. The other facts about each list are in functions/domain/screening/lists.ts.
 */
export const FORMATS: Record<ListId, ListFormat> = {
  OFAC_SDN: ofacList({ main: 'SDN.CSV', alt: 'ALT.CSV', comments: 'SDN_COMMENTS.CSV' }),
  OFAC_CONS: ofacList({ main: 'CONS_PRIM.CSV', alt: 'CONS_ALT.CSV', comments: 'CONS_COMMENTS.CSV' }),
  UN_SC: unList,
  BR_CEIS: cguRegister('CEIS'),
  BR_CNEP: cguRegister('CNEP'),
  BR_PEP: exposedPersons,
};
