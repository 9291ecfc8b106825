type Answer = { result?: unknown; error?: { code: number; message: string } };

/** Makes one JSON-RPC call. Throws an error with the node's message if the node answers an error. */
export async function rpc<T>(url: string, method: string, params: unknown[] = []): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as Answer;
  if (error) throw new Error(`${method}: ${error.message}`);
  return result as T;
}

export type Receipt = {
  status: string;
  transactionHash: string;
  blockNumber: string;
  contractAddress?: string;
};

const RECEIPT_WAIT_MS = 60_000;
const LONGEST_PAUSE_MS = 500;

export async function waitForReceipt(url: string, hash: string): Promise<Receipt> {
  const until = Date.now() + RECEIPT_WAIT_MS;
  // The pauses grow, because each read of the simulated chain invokes a Lambda function.
  for (let pauseMs = 25; Date.now() < until; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const receipt = await rpc<Receipt | null>(url, 'eth_getTransactionReceipt', [hash]);
    if (receipt) return receipt;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new Error(`no receipt of ${hash} after ${RECEIPT_WAIT_MS} ms`);
}
