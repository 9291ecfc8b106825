import { documentOf, parse } from './answer.ts';
import { paginate } from './pages.ts';
import type { Receipt, TransactionDetail, TransactionFilter, TransactionPage } from './transaction-types.ts';
import { type CallOptions, segment, type Transport, withQuery } from './transport.ts';

const listPath = '/v1/laas/transactions';
const pathOf = (transactionId: string) => `${listPath}/${segment('transactionId', transactionId)}`;

const receiptPath = (transactionId: string) => `${pathOf(transactionId)}/receipt`;

const PDF = 'application/pdf';

/** The calls that read purchases as the service has recorded them, for your support and your accounting. */
export function recordCalls({ get, send }: Transport) {
  return {
    /** Lists your purchases, the newest first. A `for await` loop gets the purchases of all pages. */
    list(filter: TransactionFilter = {}, call?: CallOptions) {
      const readPage = async (cursor = filter.cursor) => {
        const answer = await send(get(withQuery(listPath, { ...filter, cursor }), call));
        return parse<TransactionPage>(answer);
      };
      return paginate(readPage, ({ transactions }) => transactions);
    },

    /** Reads a purchase with its `story`, which tells in sentences for the client what has happened. */
    async get(transactionId: string, call?: CallOptions) {
      const answer = await send(get(pathOf(transactionId), call));
      return parse<TransactionDetail>(answer);
    },

    /** Reads the receipt of a completed purchase. Other purchases are refused with `RECEIPT_NOT_AVAILABLE`. */
    async receipt(transactionId: string, call?: CallOptions) {
      const answer = await send(get(receiptPath(transactionId), call));
      return parse<Receipt>(answer);
    },

    /**
     * Reads the receipt of `receipt` as a PDF, and returns its bytes. `new Blob([bytes], { type:
     * 'application/pdf' })` makes a file of them.
     */
    async receiptPdf(transactionId: string, call?: CallOptions) {
      const request = { ...get(receiptPath(transactionId), call), accept: PDF };
      return documentOf(await send(request), PDF);
    },
  };
}
